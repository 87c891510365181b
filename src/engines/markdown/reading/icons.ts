// Icons that content names.
import { defined } from '../../../base/objects.ts'
import type { Color } from '../schema/schema.ts'
import type { Element } from '../syntax/syntax.ts'
import { coloursOf } from './colours.ts'

const ICON_NAME = /^[a-z0-9-]{1,50}$/

export const isIconName = (name: string): boolean => ICON_NAME.test(name)

/** Words that say how an icon is drawn, not which one it is. */
const ICON_STYLES: ReadonlySet<string> = new Set(
  'fa fas far fab solid regular brands light duotone thin sharp'.split(' '),
)

/** An icon's name without its library's prefixes: `fa-solid fa-rocket` and `rocket` are `rocket`. */
export function iconName(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? nameIn(wordsOf(value)) : undefined
}

const wordsOf = (value: string): string[] => value.toLowerCase().slice(0, 200).split(/\s+/)

const nameIn = (words: readonly string[]): string | undefined =>
  words.map(word => word.replace(/^fa-/, '')).find(word => isIconName(word) && !ICON_STYLES.has(word))

export type Icon = { readonly name: string; readonly colour?: Color }

/** `<i class="fa-rocket" style="color:$primary">`; undefined for other elements. */
export function iconOf(node: Element): Icon | undefined {
  if (node.name !== 'i') return undefined
  const name = nameIn(wordsOf(node.attributes.class ?? '').filter(word => word.startsWith('fa-')))
  return name === undefined ? undefined : defined({ name, colour: coloursOf(node).ink })
}
