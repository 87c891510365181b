// The edit distance of two words.

import { uint32At } from '../../base/typed-arrays.ts'
import { type StringTable, stringLength } from './string-table.ts'

const WORD_MAX = 64
const COLUMNS = WORD_MAX + 1
// Three rows of the table, reused for every comparison.
const rows = [new Uint8Array(COLUMNS), new Uint8Array(COLUMNS), new Uint8Array(COLUMNS)] as const

/**
 * The least number of letters inserted, left out, replaced or swapped with their neighbour that turns `written` into
 * the string at `index` (optimal string alignment); anything above `max` if it is more. With `isPrefix` the string may
 * continue after it.
 *
 * Hence `!`: columns are within a row, and of the string.
 */
export function editDistance(
  written: string,
  table: StringTable,
  index: number,
  max: number,
  isPrefix = false,
): number {
  if (max === 1 && !isPrefix) return editDistanceUpToOne(written, table, index)
  const { starts, characters } = table
  const start = starts[index]!
  const wide = Math.min(stringLength(table, index), WORD_MAX, isPrefix ? written.length + max : WORD_MAX)
  const high = Math.min(written.length, WORD_MAX)
  let [beforeLast, last, current] = rows
  for (let column = 0; column <= wide; column++) last[column] = column
  let least = 0
  for (let row = 1; row <= high; row++) {
    const letter = written.charCodeAt(row - 1)
    current[0] = row
    least = row
    for (let column = 1; column <= wide; column++) {
      const other = characters[start + column - 1]!
      let slips = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (letter === other ? 0 : 1),
      )
      if (
        row > 1 &&
        column > 1 &&
        letter === characters[start + column - 2] &&
        written.charCodeAt(row - 2) === other
      )
        slips = Math.min(slips, beforeLast[column - 2]! + 1)
      current[column] = slips
      if (slips < least) least = slips
    }
    if (least > max) return least
    ;[beforeLast, last, current] = [last, current, beforeLast]
  }
  return isPrefix ? least : last[wide]!
}

/** The same for a maximum of 1, with 2 for anything above: common prefix and suffix are enough. */
function editDistanceUpToOne(written: string, table: StringTable, index: number): number {
  const { starts, characters } = table
  const start = uint32At(starts, index)
  const other = stringLength(table, index)
  const { length } = written
  const shorter = Math.min(length, other)
  let before = 0
  while (before < shorter && written.charCodeAt(before) === characters[start + before]) before++
  let behind = 0
  while (
    behind < shorter - before &&
    written.charCodeAt(length - 1 - behind) === characters[start + other - 1 - behind]
  )
    behind++
  const differing = Math.max(length, other) - before - behind
  if (differing <= 1) return differing
  const isSwapped =
    differing === 2 &&
    length === other &&
    written.charCodeAt(before) === characters[start + before + 1] &&
    written.charCodeAt(before + 1) === characters[start + before]
  return isSwapped ? 1 : 2
}
