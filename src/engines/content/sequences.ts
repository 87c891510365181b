// What two sequences have in common, in order, within bounds: Myers' algorithm finds the most where that is cheap; large
// and very different stretches are first cut at anchors, as patience diff does, so that no input is quadratic.
import { diff } from 'fast-myers-diff'

/** Positions in both sequences where the same thing stands; both ascend strictly. */
export type Match = readonly [a: number, b: number]

// A stretch of 1,000 by 1,000 different things costs Myers some 10 ms; all stretches together get twenty of those.
const STRETCH_CELLS_MAX = 1_000_000
const BUDGET_CELLS = 20_000_000
const CUTS_MAX = 12

type Stretch = {
  readonly a: readonly number[]
  readonly b: readonly number[]
  /** How many cuts led to this stretch. */
  readonly cuts: number
}

/** What Myers' algorithm may still cost, in pairs of things: shared by the calls that one answer needs. */
export type Budget = { cells: number }
export const newBudget = (): Budget => ({ cells: BUDGET_CELLS })

/** Matches of two sequences of strings: a longest common subsequence where that is cheap, a good one elsewhere. */
export function matchSequences(
  a: readonly string[],
  b: readonly string[],
  budget: Budget = newBudget(),
): Match[] {
  const { idsA, idsB } = intern(a, b)
  const matches: Match[] = []
  // Positions that can match at all: what stands on one side only is out of the way from the start.
  const known = new Set(idsB)
  const sameInA = new Set(idsA)
  const waiting: Stretch[] = [
    {
      a: [...idsA.keys()].filter(i => known.has(idsA[i] as number)),
      b: [...idsB.keys()].filter(j => sameInA.has(idsB[j] as number)),
      cuts: 0,
    },
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const stretch = trimEnds(next, idsA, idsB, matches)
    const cells = stretch.a.length * stretch.b.length
    if (cells === 0) continue
    if (cells <= Math.min(STRETCH_CELLS_MAX, budget.cells)) {
      budget.cells -= cells
      matchByMyers(stretch, idsA, idsB, matches)
      continue
    }
    const anchors = stretch.cuts < CUTS_MAX ? findAnchors(stretch, idsA, idsB, true) : []
    if (anchors.length > 0) waiting.push(...cutAt(anchors, stretch, matches))
    else for (const [i, j] of findAnchors(stretch, idsA, idsB, false)) matches.push(at(stretch, i, j))
  }
  return matches.sort(([i], [j]) => i - j)
}

function intern(a: readonly string[], b: readonly string[]): { idsA: Int32Array; idsB: Int32Array } {
  const ids = new Map<string, number>()
  const idOf = (text: string): number => {
    const known = ids.get(text)
    if (known !== undefined) return known
    ids.set(text, ids.size)
    return ids.size - 1
  }
  return { idsA: Int32Array.from(a, idOf), idsB: Int32Array.from(b, idOf) }
}

const at = (stretch: Stretch, i: number, j: number): Match => [stretch.a[i] as number, stretch.b[j] as number]

/** Matches what both sides begin and end with; answers what is left between. */
function trimEnds({ a, b, cuts }: Stretch, idsA: Int32Array, idsB: Int32Array, matches: Match[]): Stretch {
  const isSame = (i: number, j: number): boolean => idsA[a[i] as number] === idsB[b[j] as number]
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && isSame(start, start)) {
    matches.push([a[start] as number, b[start] as number])
    start++
  }
  let endA = a.length
  let endB = b.length
  while (endA > start && endB > start && isSame(endA - 1, endB - 1)) {
    endA--
    endB--
    matches.push([a[endA] as number, b[endB] as number])
  }
  return { a: a.slice(start, endA), b: b.slice(start, endB), cuts }
}

function matchByMyers(stretch: Stretch, idsA: Int32Array, idsB: Int32Array, matches: Match[]): void {
  const xs = Int32Array.from(stretch.a, i => idsA[i] as number)
  const ys = Int32Array.from(stretch.b, j => idsB[j] as number)
  let i = 0
  let j = 0
  const matchUntil = (end: number): void => {
    for (; i < end; i++, j++) matches.push(at(stretch, i, j))
  }
  for (const [startX, endX, , endY] of diff(xs, ys)) {
    matchUntil(startX)
    i = endX
    j = endY
  }
  matchUntil(xs.length)
}

/**
 * The longest run, ascending on both sides, of things that stand once on each side; or, for `isUnique` false, of things
 * paired by how often they stood before. Positions within the stretch.
 */
function findAnchors({ a, b }: Stretch, idsA: Int32Array, idsB: Int32Array, isUnique: boolean): Match[] {
  const places = new Map<number, number[]>()
  b.forEach((position, j) => {
    const id = idsB[position] as number
    const known = places.get(id)
    if (known === undefined) places.set(id, [j])
    else known.push(j)
  })
  const met = new Map<number, number>()
  for (const position of a) {
    const id = idsA[position] as number
    met.set(id, (met.get(id) ?? 0) + 1)
  }
  const pairs: Match[] = []
  const before = new Map<number, number>()
  a.forEach((position, i) => {
    const id = idsA[position] as number
    const nth = before.get(id) ?? 0
    before.set(id, nth + 1)
    const found = places.get(id)
    if (isUnique && (met.get(id) !== 1 || found?.length !== 1)) return
    const j = found?.[nth]
    if (j !== undefined) pairs.push([i, j])
  })
  return longestAscending(pairs.map(([, j]) => j)).map(k => pairs[k] as Match)
}

function cutAt(anchors: readonly Match[], stretch: Stretch, matches: Match[]): Stretch[] {
  const pieces: Stretch[] = []
  let i = 0
  let j = 0
  for (const [endA, endB] of [...anchors, [stretch.a.length, stretch.b.length] as const]) {
    if (endA > i && endB > j)
      pieces.push({ a: stretch.a.slice(i, endA), b: stretch.b.slice(j, endB), cuts: stretch.cuts + 1 })
    if (endA < stretch.a.length) matches.push(at(stretch, endA, endB))
    i = endA + 1
    j = endB + 1
  }
  return pieces
}

/** Positions of a longest strictly ascending subsequence, in O(n log n). */
export function longestAscending(values: readonly number[]): number[] {
  const tails: number[] = []
  const previous = new Int32Array(values.length)
  values.forEach((value, i) => {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((values[tails[middle] as number] as number) < value) low = middle + 1
      else high = middle
    }
    previous[i] = low === 0 ? -1 : (tails[low - 1] as number)
    tails[low] = i
  })
  const run: number[] = []
  for (let i = tails.at(-1) ?? -1; i !== -1; i = previous[i] as number) run.push(i)
  return run.reverse()
}
