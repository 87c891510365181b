// Emojis in the form that GitBook writes.
import { type Element, renderEmoji } from '../syntax/syntax.ts'

/** The code of `<span data-tag="emoji" data-code="1f680">`; undefined for other elements, and for what is no code. */
export function emojiOf({ name, attributes }: Element): string | undefined {
  if (name !== 'span' || attributes['data-tag']?.trim().toLowerCase() !== 'emoji') return undefined
  const code = attributes['data-code']?.trim().toLowerCase() ?? ''
  return renderEmoji(code) === undefined ? undefined : code
}
