// Which members two lists have in common, in order: Myers, “An O(ND) Difference Algorithm and Its Variations” (1986).

export type Pair = readonly [before: number, after: number]

// More differences than anybody reads one by one: what lies between is other.
const DISTANCE_MAX = 1000

/** The places of equal members, in order. */
export function matchLists(before: readonly string[], after: readonly string[]): Pair[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  const room = Math.min(before.length, after.length) - start
  while (end < room && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  const middle = matchMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end))
  return [
    ...Array.from({ length: start }, (_, at): Pair => [at, at]),
    ...middle.map(([a, b]): Pair => [a + start, b + start]),
    ...Array.from({ length: end }, (_, at): Pair => [before.length - end + at, after.length - end + at]),
  ]
}

function matchMiddle(before: readonly string[], after: readonly string[]): Pair[] {
  const distanceMax = Math.min(before.length + after.length, DISTANCE_MAX)
  const offset = distanceMax + 1
  // The furthest place in `before` on each diagonal, after each number of differences.
  const furthest = new Int32Array(2 * offset + 1)
  const rounds: Int32Array[] = []
  for (let distance = 0; distance <= distanceMax; distance += 1) {
    rounds.push(furthest.slice(offset - distance - 1, offset + distance + 2))
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const below = furthest[offset + diagonal - 1] ?? 0
      const above = furthest[offset + diagonal + 1] ?? 0
      const isDown = diagonal === -distance || (diagonal !== distance && below < above)
      let at = isDown ? above : below + 1
      while (at < before.length && at - diagonal < after.length && before[at] === after[at - diagonal])
        at += 1
      furthest[offset + diagonal] = at
      if (at >= before.length && at - diagonal >= after.length) return walkBack(rounds, before, after)
    }
  }
  return []
}

function walkBack(
  rounds: readonly Int32Array[],
  before: readonly string[],
  after: readonly string[],
): Pair[] {
  const pairs: Pair[] = []
  let a = before.length
  let b = after.length
  for (let distance = rounds.length - 1; distance >= 0; distance -= 1) {
    const round = rounds[distance] ?? new Int32Array()
    const at = (diagonal: number) => round[diagonal + distance + 1] ?? 0
    const diagonal = a - b
    const isDown = diagonal === -distance || (diagonal !== distance && at(diagonal - 1) < at(diagonal + 1))
    const from = isDown ? diagonal + 1 : diagonal - 1
    const fromA = distance === 0 ? 0 : at(from)
    const fromB = distance === 0 ? 0 : fromA - from
    while (a > fromA && b > fromB && before[a - 1] === after[b - 1]) {
      a -= 1
      b -= 1
      pairs.push([a, b])
    }
    a = fromA
    b = fromB
  }
  return pairs.reverse()
}

/** Before the first pair. */
export const START: Pair = [-1, -1]

const WORD = /[\p{L}\p{N}]/u
export const isWord = (text: string): boolean => WORD.test(text)

/** White space and signs between two changes are changed with them, so that what is marked can be read. */
export function withoutIslands(
  pairs: readonly Pair[],
  end: Pair,
  isIsland: (after: number) => boolean,
): Pair[] {
  return pairs.filter(([a, b], at) => {
    if (!isIsland(b)) return true
    const [beforeA, beforeB] = pairs[at - 1] ?? START
    const [afterA, afterB] = pairs[at + 1] ?? end
    const isAfterChange = beforeA !== a - 1 || beforeB !== b - 1
    return !isAfterChange || (afterA === a + 1 && afterB === b + 1)
  })
}
