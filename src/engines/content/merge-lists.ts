// Three-way merge of lists of things that have an identity: the children of a page, the blocks of a document. There is
// no conflict in it. What both sides left in order is the skeleton; what a side added or moved stands behind the same
// thing of the skeleton as it does on that side; and where both sides put something at one place, an order that does
// not depend on which side is which decides.
import { type Budget, longestAscending, type Match, matchSequences, newBudget } from './sequences.ts'

export type ListMerge = {
  readonly base: readonly string[]
  readonly ours: readonly string[]
  readonly theirs: readonly string[]
  /** Whether a thing stands in the result; it has to stand in one of the lists. */
  readonly isKept: (id: string) => boolean
  /**
   * What things are compared by that both sides put at one place: equal ones are one, and the others stand in this
   * order. The identity, if absent.
   */
  readonly rankOf?: (id: string) => string
  /** What comparing things may cost, for all places together. */
  readonly budget?: Budget
}

/** An element of the result: one thing, or two that both sides added alike at one place. */
export type Merged = { readonly id: string; readonly twin?: string }

/** Each kept thing once, twins together. */
export function mergeLists({
  base,
  ours,
  theirs,
  isKept,
  rankOf = id => id,
  budget = newBudget(),
}: ListMerge): Merged[] {
  const a = new Side(base, ours)
  const b = new Side(base, theirs)
  const inBase = new Set(base)
  const isSettled = (id: string): boolean =>
    inBase.has(id) && a.positions.has(id) && b.positions.has(id) && !a.moved.has(id) && !b.moved.has(id)
  const skeleton = base.filter(id => isKept(id) && isSettled(id))
  const places = (side: Side, other: Side) => (id: string) =>
    isKept(id) && !isSettled(id) && !(inBase.has(id) && !side.moved.has(id) && other.moved.has(id))
  const inSkeleton = new Set(skeleton)
  const runsA = runsOf(ours, inSkeleton, places(a, b))
  const runsB = runsOf(theirs, inSkeleton, places(b, a))
  settleDoubles(runsA, runsB)
  const placed = new Set([...runsA.gapOf.keys(), ...runsB.gapOf.keys(), ...skeleton])
  // What neither side has, but shall stand: as it stood before.
  const runsBase = runsOf(base, inSkeleton, id => isKept(id) && !placed.has(id))
  const result: Merged[][] = []
  for (let gap = 0; gap <= skeleton.length; gap++) {
    if (gap > 0) result.push([{ id: skeleton[gap - 1] as string }])
    result.push(interleave(runsA.at(gap), runsB.at(gap), rankOf, budget))
    result.push(runsBase.at(gap).map(id => ({ id })))
  }
  return result.flat()
}

/** One list beside the base: where its things stand, and which of those in both changed their order. */
class Side {
  readonly positions: ReadonlyMap<string, number>
  readonly moved: ReadonlySet<string>

  constructor(base: readonly string[], list: readonly string[]) {
    this.positions = new Map(list.map((id, i) => [id, i]))
    const both = base.filter(id => this.positions.has(id))
    const kept = new Set(longestAscending(both.map(id => this.positions.get(id) as number)))
    this.moved = new Set(both.filter((_, i) => !kept.has(i)))
  }
}

/** The things of a list that stand behind each thing of the skeleton, and before the first. */
class Runs {
  readonly #runs = new Map<number, string[]>()
  readonly gapOf = new Map<string, number>()

  add(id: string, gap: number): void {
    const run = this.#runs.get(gap)
    if (run === undefined) this.#runs.set(gap, [id])
    else run.push(id)
    this.gapOf.set(id, gap)
  }

  at(gap: number): readonly string[] {
    return (this.#runs.get(gap) ?? []).filter(id => this.gapOf.get(id) === gap)
  }
}

function runsOf(
  list: readonly string[],
  skeleton: ReadonlySet<string>,
  isPlaced: (id: string) => boolean,
): Runs {
  const runs = new Runs()
  let gap = 0
  for (const id of list) {
    if (skeleton.has(id)) gap++
    else if (isPlaced(id)) runs.add(id, gap)
  }
  return runs
}

/** A thing that both sides put somewhere else stands where it comes first. */
function settleDoubles(a: Runs, b: Runs): void {
  for (const [id, gapA] of a.gapOf) {
    const gapB = b.gapOf.get(id)
    if (gapB === undefined || gapA === gapB) continue
    if (gapA < gapB) b.gapOf.delete(id)
    else a.gapOf.delete(id)
  }
}

/** Two runs at one place as one: what is equal in both stands once, and between it the smaller part first. */
function interleave(
  a: readonly string[],
  b: readonly string[],
  rankOf: (id: string) => string,
  budget: Budget,
): Merged[] {
  if (a.length === 0 || b.length === 0) return [...a, ...b].map(id => ({ id }))
  const ranksA = a.map(rankOf)
  const ranksB = b.map(rankOf)
  const result: Merged[][] = []
  let i = 0
  let j = 0
  for (const [x, y] of [...matchRanks(ranksA, ranksB, budget), [a.length, b.length] as const]) {
    const partA = a.slice(i, x).map(id => ({ id }))
    const partB = b.slice(j, y).map(id => ({ id }))
    const isFirst = compareRanks(ranksA.slice(i, x), ranksB.slice(j, y)) <= 0
    result.push(...(isFirst ? [partA, partB] : [partB, partA]))
    if (x < a.length) {
      const [id, twin] = [a[x] as string, b[y] as string]
      result.push([id === twin ? { id } : { id, twin }])
    }
    i = x + 1
    j = y + 1
  }
  return onceEach(result.flat())
}

/** What both runs have in common, found alike whichever of them is asked about first. */
function matchRanks(a: readonly string[], b: readonly string[], budget: Budget): Match[] {
  if (compareRanks(a, b) <= 0) return matchSequences(a, b, budget)
  return matchSequences(b, a, budget).map(([y, x]) => [x, y])
}

function compareRanks(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] !== b[i]) return (a[i] as string) < (b[i] as string) ? -1 : 1
  }
  return a.length - b.length
}

/** One identity may stand in both runs in another order. */
function onceEach(merged: readonly Merged[]): Merged[] {
  const seen = new Set<string>()
  return merged.filter(({ id }) => !seen.has(id) && seen.add(id) !== undefined)
}
