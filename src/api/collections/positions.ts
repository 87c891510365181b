// Positions: short texts, compared byte by byte, that order siblings. There is room between any two, so that moving one
// thing writes one row. The position of a new thing is the time of its creation.

/** In byte order. No position ends with the lowest digit: there would be no room below it. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LOWEST = '0'

/** A position longer than this means that its siblings are too close: all get new positions. */
export const POSITION_CHARACTERS_MAX = 100

/**
 * A position strictly between two, where null is an open end; undefined if there is no room, because the two are equal
 * or not in order, or the result would be too long.
 */
export function between(after: string | null, before: string | null): string | undefined {
  if (after !== null && before !== null && !isBelow(after, before)) return undefined
  const found = search(after ?? '', before)
  return found === undefined || found.length > POSITION_CHARACTERS_MAX ? undefined : found
}

/** A position after the last one: this moment, if it sorts after. */
export function positionAfter(last: string | null, moment: Date): string | undefined {
  const position = moment.toISOString()
  return last === null || isBelow(last, position) ? position : between(last, null)
}

/** `count` ordered positions between two, roughly evenly spaced. */
export function positionsBetween(
  after: string | null,
  before: string | null,
  count: number,
): string[] | undefined {
  if (count === 0) return []
  const middle = between(after, before)
  if (middle === undefined) return undefined
  const half = Math.floor((count - 1) / 2)
  const left = positionsBetween(after, middle, half)
  const right = left && positionsBetween(middle, before, count - 1 - half)
  return right && [...left, middle, ...right]
}

/** Positions for all siblings; later ones come after them. */
export const spreadAll = (count: number): string[] | undefined => positionsBetween(null, FIRST_MOMENT, count)
const FIRST_MOMENT = '2'

/** Compared as in the database; positions are ASCII, so code units are bytes. */
const isBelow = (one: string, other: string): boolean => one < other

function search(after: string, before: string | null): string | undefined {
  let kept = ''
  for (let at = 0; ; at += 1) {
    const low = after[at] ?? ''
    const high = before === null ? undefined : (before[at] ?? '')
    if (low !== '' && low === high) {
      kept += low
      continue
    }
    const middle = digitBetween(low, high)
    if (middle !== undefined) return kept + middle
    // no digit fits here: continue after the lower one, which has no upper limit
    if (low !== '') return above(kept + low, after.slice(at + 1))
    // `before` continues with the lowest digit, or with a character below all digits
    if (high === '' || high === undefined || high < LOWEST) return undefined
    if (high !== LOWEST) return kept + LOWEST + digitBetween('', undefined)
    kept += LOWEST
  }
}

function above(kept: string, rest: string): string {
  const at = [...rest].findIndex(low => digitBetween(low, undefined) !== undefined)
  const start = at === -1 ? rest : rest.slice(0, at)
  return kept + start + digitBetween(at === -1 ? '' : rest.charAt(at), undefined)
}

/** The middle of the digits strictly between two characters, without the lowest. */
function digitBetween(low: string, high: string | undefined): string | undefined {
  const from = low < LOWEST ? 1 : firstAbove(low)
  const to = high === undefined ? DIGITS.length : firstFrom(high)
  return from < to ? DIGITS[Math.floor((from + to) / 2)] : undefined
}

const firstAbove = (character: string): number => {
  const at = [...DIGITS].findIndex(digit => digit > character)
  return at === -1 ? DIGITS.length : at
}
const firstFrom = (character: string): number => {
  const at = [...DIGITS].findIndex(digit => digit >= character)
  return at === -1 ? DIGITS.length : at
}
