// The common subsequence of two sequences, within bounds: Myers' algorithm finds the longest where that is cheap; large
// and very different stretches are first cut at anchors, as in patience diff, so that no input is quadratic.

import { diff } from 'fast-myers-diff'
import { longestAscending } from '../../base/longest-ascending.ts'
import { int32At } from '../../base/typed-arrays.ts'

/** The positions of equal items in both sequences; both ascend strictly. */
export type Match = readonly [a: number, b: number]

// A stretch of 1,000 by 1,000 different items costs Myers about 10 ms; all stretches together may cost twenty times
// that.
const STRETCH_CELLS_MAX = 1_000_000
const BUDGET_CELLS = 20_000_000
const CUTS_MAX = 12

type Stretch = {
  readonly a: Int32Array
  readonly b: Int32Array
  /** How many cuts led to this stretch. */
  readonly cuts: number
}

/** The remaining cost of Myers' algorithm in pairs of items. The calls for one result share it. */
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
  // Only positions that can match: items on one side only are left out from the start.
  const known = new Set(idsB)
  const sameInA = new Set(idsA)
  const waiting: Stretch[] = [
    {
      a: Int32Array.from(idsA.keys()).filter(i => known.has(int32At(idsA, i))),
      b: Int32Array.from(idsB.keys()).filter(j => sameInA.has(int32At(idsB, j))),
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

const at = (stretch: Stretch, i: number, j: number): Match => [int32At(stretch.a, i), int32At(stretch.b, j)]

/** Matches the common prefix and suffix; returns the stretch between them. */
function trimEnds({ a, b, cuts }: Stretch, idsA: Int32Array, idsB: Int32Array, matches: Match[]): Stretch {
  const isSame = (i: number, j: number): boolean => idsA[int32At(a, i)] === idsB[int32At(b, j)]
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && isSame(start, start)) {
    matches.push([int32At(a, start), int32At(b, start)])
    start++
  }
  let endA = a.length
  let endB = b.length
  while (endA > start && endB > start && isSame(endA - 1, endB - 1)) {
    endA--
    endB--
    matches.push([int32At(a, endA), int32At(b, endB)])
  }
  return { a: a.subarray(start, endA), b: b.subarray(start, endB), cuts }
}

function matchByMyers(stretch: Stretch, idsA: Int32Array, idsB: Int32Array, matches: Match[]): void {
  const xs = stretch.a.map(i => int32At(idsA, i))
  const ys = stretch.b.map(j => int32At(idsB, j))
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
 * The longest run, ascending on both sides, of items that occur once on each side; with `isUnique` false, the n-th
 * occurrence on one side is paired with the n-th on the other. Positions are within the stretch.
 */
function findAnchors({ a, b }: Stretch, idsA: Int32Array, idsB: Int32Array, isUnique: boolean): Match[] {
  const places = new Map<number, number[]>()
  b.forEach((position, j) => {
    const id = int32At(idsB, position)
    const known = places.get(id)
    if (known === undefined) places.set(id, [j])
    else known.push(j)
  })
  const met = new Map<number, number>()
  for (const position of a) {
    const id = int32At(idsA, position)
    met.set(id, (met.get(id) ?? 0) + 1)
  }
  const pairs: Match[] = []
  const before = new Map<number, number>()
  a.forEach((position, i) => {
    const id = int32At(idsA, position)
    const nth = before.get(id) ?? 0
    before.set(id, nth + 1)
    const found = places.get(id)
    if (isUnique && (met.get(id) !== 1 || found?.length !== 1)) return
    const j = found?.[nth]
    if (j !== undefined) pairs.push([i, j])
  })
  return longestAscending(pairs, ([, j]) => j)
}

function cutAt(anchors: readonly Match[], stretch: Stretch, matches: Match[]): Stretch[] {
  const pieces: Stretch[] = []
  let i = 0
  let j = 0
  for (const [endA, endB] of [...anchors, [stretch.a.length, stretch.b.length] as const]) {
    if (endA > i && endB > j)
      pieces.push({ a: stretch.a.subarray(i, endA), b: stretch.b.subarray(j, endB), cuts: stretch.cuts + 1 })
    if (endA < stretch.a.length) matches.push(at(stretch, endA, endB))
    i = endA + 1
    j = endB + 1
  }
  return pieces
}
