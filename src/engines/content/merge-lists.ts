// Three-way merge of lists of things that have an identity: the children of a page, the blocks of a document. There is
// no conflict in it. What both sides left in order is the skeleton; what a side added or moved stands where it does on
// that side: between the things of the base that it left in order, be they in the result or not. Where both sides put
// something at one place, an order that does not depend on which side is which decides.
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
  const runsA = runsOf(a.slots(ours), inSkeleton, places(a, b))
  const runsB = runsOf(b.slots(theirs), inSkeleton, places(b, a))
  settleDoubles(runsA, runsB)
  const placed = new Set([...runsA.gapOf.keys(), ...runsB.gapOf.keys(), ...skeleton])
  // What neither side has, but shall stand: as it stood before.
  const asBefore = base.map((id, i) => ({ id, slot: 2 * i + 1 }))
  const runsBase = runsOf(asBefore, inSkeleton, id => isKept(id) && !placed.has(id))
  const inGap = (gap: number): Merged[] => {
    const both = interleave(runsA.at(gap), runsB.at(gap), rankOf, budget)
    return bySlot(both, runsBase.at(gap), () => true)
  }
  return [inGap(0), ...skeleton.map((id, i) => [{ id }, ...inGap(i + 1)])].flat()
}

/** One list beside the base: where its things stand, and which of those in both changed their order. */
class Side {
  readonly #inBase: ReadonlyMap<string, number>
  readonly positions: ReadonlyMap<string, number>
  readonly moved: ReadonlySet<string>

  constructor(base: readonly string[], list: readonly string[]) {
    this.#inBase = new Map(base.map((id, i) => [id, i]))
    this.positions = new Map(list.map((id, i) => [id, i]))
    const both = base.filter(id => this.positions.has(id))
    const kept = new Set(longestAscending(both, id => this.positions.get(id) ?? -1))
    this.moved = new Set(both.filter(id => !kept.has(id)))
  }

  /**
   * Where each stands among the things of the base: an odd slot, 2i + 1, is that of the i-th itself and of what came in
   * place of it and those behind it that went away; the even ones are between them.
   */
  slots(list: readonly string[]): Slotted[] {
    const placeOf = (id: string): number | undefined =>
      this.moved.has(id) ? undefined : this.#inBase.get(id)
    const slotted: Slotted[] = []
    let waiting: string[] = []
    let next = 0
    const passUpTo = (place: number): void => {
      const slot = place === next ? 2 * next : 2 * next + 1
      for (const id of waiting) slotted.push({ id, slot })
      waiting = []
      next = place + 1
    }
    for (const id of list) {
      const place = placeOf(id)
      if (place === undefined) {
        waiting.push(id)
        continue
      }
      passUpTo(place)
      slotted.push({ id, slot: 2 * place + 1 })
    }
    passUpTo(this.#inBase.size)
    return slotted
  }
}

type Slotted = { readonly id: string; readonly slot: number }

/** The things of a list that stand behind each thing of the skeleton, and before the first. */
class Runs {
  readonly #runs = new Map<number, Slotted[]>()
  readonly gapOf = new Map<string, number>()

  add(one: Slotted, gap: number): void {
    const run = this.#runs.get(gap)
    if (run === undefined) this.#runs.set(gap, [one])
    else run.push(one)
    this.gapOf.set(one.id, gap)
  }

  at(gap: number): readonly Slotted[] {
    return (this.#runs.get(gap) ?? []).filter(({ id }) => this.gapOf.get(id) === gap)
  }
}

function runsOf(
  list: readonly Slotted[],
  skeleton: ReadonlySet<string>,
  isPlaced: (id: string) => boolean,
): Runs {
  const runs = new Runs()
  let gap = 0
  for (const one of list) {
    if (skeleton.has(one.id)) gap++
    else if (isPlaced(one.id)) runs.add(one, gap)
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

type Placed = Merged & Slotted

/** Two runs between the same things as one: what is equal in both stands once, and the rest by its slots. */
function interleave(
  a: readonly Slotted[],
  b: readonly Slotted[],
  rankOf: (id: string) => string,
  budget: Budget,
): Placed[] {
  if (a.length === 0 || b.length === 0) return [...a, ...b]
  const ranksA = a.map(({ id }) => rankOf(id))
  const ranksB = b.map(({ id }) => rankOf(id))
  const isFirst = (one: readonly Placed[], other: readonly Placed[]): boolean =>
    compareRanks(
      one.map(({ id }) => rankOf(id)),
      other.map(({ id }) => rankOf(id)),
    ) <= 0
  const result: Placed[][] = []
  let i = 0
  let j = 0
  for (const [x, y] of [...matchRanks(ranksA, ranksB, budget), [a.length, b.length] as const]) {
    result.push(bySlot(a.slice(i, x), b.slice(j, y), isFirst))
    const [one, other] = [a[x], b[y]]
    if (one !== undefined && other !== undefined) {
      const slot = Math.min(one.slot, other.slot)
      result.push([one.id === other.id ? { id: one.id, slot } : { id: one.id, slot, twin: other.id }])
    }
    i = x + 1
    j = y + 1
  }
  return onceEach(result.flat())
}

/** Two runs in the order of their slots; of what both have in one slot, one part behind the other. */
function bySlot(
  a: readonly Placed[],
  b: readonly Placed[],
  isFirst: (a: readonly Placed[], b: readonly Placed[]) => boolean,
): Placed[] {
  const result: Placed[][] = []
  const endOf = (run: readonly Placed[], from: number): number => {
    let end = from
    while (end < run.length && run[end]?.slot === run[from]?.slot) end++
    return end
  }
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [slotA, slotB] = [a[i]?.slot ?? Number.POSITIVE_INFINITY, b[j]?.slot ?? Number.POSITIVE_INFINITY]
    const partA = slotA <= slotB ? a.slice(i, endOf(a, i)) : []
    const partB = slotB <= slotA ? b.slice(j, endOf(b, j)) : []
    result.push(...(isFirst(partA, partB) ? [partA, partB] : [partB, partA]))
    i += partA.length
    j += partB.length
  }
  return result.flat()
}

/** What both runs have in common, found alike whichever of them is asked about first. */
function matchRanks(a: readonly string[], b: readonly string[], budget: Budget): Match[] {
  if (compareRanks(a, b) <= 0) return matchSequences(a, b, budget)
  return matchSequences(b, a, budget).map(([y, x]) => [x, y])
}

function compareRanks(a: readonly string[], b: readonly string[]): number {
  for (const [i, one] of a.entries()) {
    const other = b[i]
    if (other === undefined) break
    if (one !== other) return one < other ? -1 : 1
  }
  return a.length - b.length
}

/** One identity may stand in both runs in another order. */
function onceEach(merged: readonly Placed[]): Placed[] {
  const seen = new Set<string>()
  return merged.filter(({ id }) => !seen.has(id) && seen.add(id) !== undefined)
}
