// What GitBook's tags say about themselves.
import type { Tag } from '../syntax/syntax.ts'
import { type Block, paragraph, text } from './model.ts'

/** The value of an attribute; undefined where it is absent, bare or empty. */
export const wordOf = (tag: Tag, name: string): string | undefined => {
  const value = tag.attributes[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
export const isOn = (tag: Tag, name: string): boolean =>
  tag.attributes[name] === true || tag.attributes[name] === 'true'

export const fullWidth = (tag: Tag): { fullWidth?: boolean } =>
  isOn(tag, 'fullWidth') ? { fullWidth: true } : {}

/** A title that no block of the model holds, as a paragraph of its own. */
export const titled = (title: string): Block[] =>
  title === '' ? [] : [paragraph([text(title, [{ object: 'mark', type: 'bold' }])])]
