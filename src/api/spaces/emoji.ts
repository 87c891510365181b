// An emoji is kept and sent as a character; clients may also send its code points.

/** The emoji of a space that was created without one: an open book. */
export const EMOJI_DEFAULT = '\u{1f4d6}'

const CODE_POINT_MAX = 0x10ffff

/** Excludes control characters and halves of surrogate pairs. */
const isCharacter = (point: number): boolean =>
  point >= 0x20 && point <= CODE_POINT_MAX && (point < 0xd800 || point > 0xdfff)

/** `1f468-200d-1f4bb` or `U+1F4D8` as the character they name; anything else as it is. */
export function readEmoji(text: string): string {
  const points = text.replace(/^U\+/i, '').split(/[-_ ]/)
  if (!points.every(point => /^[0-9a-f]{4,6}$/i.test(point))) return text
  const numbers = points.map(point => Number.parseInt(point, 16))
  return numbers.every(isCharacter) ? String.fromCodePoint(...numbers) : text
}
