// Sorted strings in typed arrays, found by bisection without creating strings to compare.

/**
 * The string at an index is between its start and the next one: `starts` has one number more than there are strings.
 * Callers only name existing strings, and characters are read within a string, hence `!`.
 */
export type StringTable = { readonly starts: Uint32Array; readonly characters: Uint16Array }

export function packStrings(strings: readonly string[]): StringTable {
  const starts = new Uint32Array(strings.length + 1)
  let end = 0
  for (const [index, text] of strings.entries()) {
    end += text.length
    starts[index + 1] = end
  }
  const characters = new Uint16Array(end)
  let at = 0
  for (const text of strings)
    for (let index = 0; index < text.length; index++) characters[at++] = text.charCodeAt(index)
  return { starts, characters }
}

export const stringAt = ({ starts, characters }: StringTable, index: number): string =>
  // Spreading the elements takes five times as long as `apply`, whose type only allows arrays.
  String.fromCharCode.apply(null, characters.subarray(starts[index]!, starts[index + 1]!) as never)

export const stringCount = ({ starts }: StringTable): number => starts.length - 1

export const stringLength = ({ starts }: StringTable, index: number): number =>
  starts[index + 1]! - starts[index]!

/** Negative if the string of one table comes before that of another, as `<` orders strings. */
export function compareStrings(one: StringTable, index: number, other: StringTable, place: number): number {
  const start = one.starts[index]!
  const otherStart = other.starts[place]!
  const length = stringLength(one, index)
  const otherLength = stringLength(other, place)
  const common = Math.min(length, otherLength)
  for (let at = 0; at < common; at++) {
    const difference = one.characters[start + at]! - other.characters[otherStart + at]!
    if (difference !== 0) return difference
  }
  return length - otherLength
}

/** Negative if the string at `index` comes before `text`, as `<` orders strings. */
function compareAt(table: StringTable, index: number, text: string): number {
  const { starts, characters } = table
  const start = starts[index]!
  const length = stringLength(table, index)
  const common = Math.min(length, text.length)
  for (let at = 0; at < common; at++) {
    const difference = characters[start + at]! - text.charCodeAt(at)
    if (difference !== 0) return difference
  }
  return length - text.length
}

/** The place of the first string that does not come before `text`; `order` sorts strings that are not in order. */
function lowerBound(table: StringTable, text: string, order?: Uint32Array): number {
  let [low, high] = [0, stringCount(table)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareAt(table, order?.[middle] ?? middle, text) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The place of `text`; undefined if it is not there. */
export function findString(table: StringTable, text: string, order?: Uint32Array): number | undefined {
  const place = lowerBound(table, text, order)
  if (place === stringCount(table)) return undefined
  const index = order?.[place] ?? place
  return compareAt(table, index, text) === 0 ? index : undefined
}

/** The range of the strings that begin with `prefix`. */
export function prefixRange(table: StringTable, prefix: string): { from: number; to: number } {
  const from = lowerBound(table, prefix)
  let [low, high] = [from, stringCount(table)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (startsWith(table, middle, prefix)) low = middle + 1
    else high = middle
  }
  return { from, to: low }
}

function startsWith(table: StringTable, index: number, prefix: string): boolean {
  const { starts, characters } = table
  const start = starts[index]!
  if (stringLength(table, index) < prefix.length) return false
  for (let at = 0; at < prefix.length; at++)
    if (characters[start + at] !== prefix.charCodeAt(at)) return false
  return true
}
