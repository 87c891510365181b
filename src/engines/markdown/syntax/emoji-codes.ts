// Emojis as content names them: code points in hex, joined by hyphens (`1f680`, `1f469-1f4bb`).

const CODE = /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6}){0,9}$/i
const LAST_CODE_POINT = 0x10ffff

/** The emoji itself; undefined for what is not a code. */
export function renderEmoji(code: string): string | undefined {
  if (!CODE.test(code)) return undefined
  const points = code.split('-').map(part => Number.parseInt(part, 16))
  return points.every(isCharacter) ? String.fromCodePoint(...points) : undefined
}

/** Control characters and halves of surrogate pairs are no pictures. */
const isCharacter = (point: number): boolean =>
  point > 0x1f && point <= LAST_CODE_POINT && !(point >= 0xd800 && point <= 0xdfff)
