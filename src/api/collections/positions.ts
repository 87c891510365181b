// Positions: short texts, compared byte by byte, that put siblings in order. Between any two there is room for another,
// so that moving one thing writes one row. A new thing has the moment it was made as its position.

/** As digits count up, so do their bytes. The lowest ends no position: below it there would be no room. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LOWEST = '0'

/** A position longer than this means that its siblings are too close: all get new positions. */
export const POSITION_CHARACTERS_MAX = 100

/**
 * A position strictly between two, null is the open end; undefined where there is no room, because the two
 * are equal or not in order, or what lies between would be too long.
 */
export function between(after: string | null, before: string | null): string | undefined {
  if (after !== null && before !== null && !isBelow(after, before)) return undefined
  const found = search(after ?? '', before)
  return found === undefined || found.length > POSITION_CHARACTERS_MAX ? undefined : found
}

/** The position behind the last one: this moment, unless that is not behind it. */
export function positionAfter(last: string | null, moment: Date): string | undefined {
  const position = moment.toISOString()
  return last === null || isBelow(last, position) ? position : between(last, null)
}

/** `count` positions in order between two, about evenly far from each other. */
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

/** Compared as the database does it; positions are ASCII, whose code units are its bytes. */
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
    // no digit fits here: go on behind the lower one, which is free upwards
    if (low !== '') return above(kept + low, after.slice(at + 1))
    // `before` goes on with the lowest digit that there is, or with one below all digits
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
