// Three-way merge of lists of items with identities: the children of a page, the blocks of a document. It has no
// conflicts. Items that both sides left in order are the skeleton; an item that a side added or moved keeps its place
// on that side, between the items of the base that it left in order, whether or not they are in the result. Where both
// sides put items at one place, their order does not depend on which side is ours.
import { longestAscending } from '../../base/longest-ascending.ts'
import { type Budget, type Match, matchSequences, newBudget } from './sequences.ts'

export type ListMerge = {
  readonly base: readonly string[]
  readonly ours: readonly string[]
  readonly theirs: readonly string[]
  /** Whether an item is in the result; it has to be in one of the lists. */
  readonly isKept: (id: string) => boolean
  /**
   * The key for comparing items that both sides put at one place: items with equal keys become one, and the others are
   * sorted by it. The identity by default.
   */
  readonly rankOf?: (id: string) => string
  /**
   * The level of an item that begins a section. Of what both sides put at one place, that which belongs to a section comes
   * before what ends it.
   */
  readonly levelOf?: (id: string) => number | undefined
  /** The cost limit of comparisons, for all places together. */
  readonly budget?: Budget
}

/** An element of the result: one item, or two equal ones that both sides added at one place. */
export type Merged = { readonly id: string; readonly twin?: string }

/** Each kept item once, twins together. */
export function mergeLists({
  base,
  ours,
  theirs,
  isKept,
  rankOf = id => id,
  levelOf = () => undefined,
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
  // Items that neither side has but that are kept: at their place in the base.
  const asBefore = base.map((id, i) => ({ id, slot: 2 * i + 1 }))
  const runsBase = runsOf(asBefore, inSkeleton, id => isKept(id) && !placed.has(id))
  const inGap = (gap: number): Merged[] => {
    const both = interleave(runsA.at(gap), runsB.at(gap), { rankOf, levelOf, budget, inBase })
    return bySlot(both, runsBase.at(gap), (one, other) => [...one, ...other])
  }
  return [inGap(0), ...skeleton.map((id, i) => [{ id }, ...inGap(i + 1)])].flat()
}

/** One list compared with the base: the positions of its items, and those that changed their order. */
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
   * The slot of each item among the items of the base. The odd slot 2i + 1 is that of the i-th item and of what
   * replaces it and removed items after it; even slots are between them.
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

/** The items of a list after each item of the skeleton, and before the first. */
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

/** An item that both sides moved to different places takes the first of them. */
function settleDoubles(a: Runs, b: Runs): void {
  for (const [id, gapA] of a.gapOf) {
    const gapB = b.gapOf.get(id)
    if (gapB === undefined || gapA === gapB) continue
    if (gapA < gapB) b.gapOf.delete(id)
    else a.gapOf.delete(id)
  }
}

type Placed = Merged & Slotted

/** Puts two runs at one place in order. */
type Arrange = (a: readonly Placed[], b: readonly Placed[]) => readonly Placed[]

/** Merges two runs between the same items: equal items once, the rest by slot. */
function interleave(
  a: readonly Slotted[],
  b: readonly Slotted[],
  {
    rankOf,
    levelOf,
    budget,
    inBase,
  }: Required<Pick<ListMerge, 'rankOf' | 'levelOf' | 'budget'>> & { readonly inBase: ReadonlySet<string> },
): Placed[] {
  if (a.length === 0 || b.length === 0) return [...a, ...b]
  const [inA, inB] = [new Set(a.map(({ id }) => id)), new Set(b.map(({ id }) => id))]
  // An item that is in both runs is no other.
  const keyOf = ({ id }: Slotted): string => (inA.has(id) && inB.has(id) ? `id ${id}` : `rank ${rankOf(id)}`)
  const [ranksA, ranksB] = [a.map(keyOf), b.map(keyOf)]
  const isFirst = (one: readonly Placed[], other: readonly Placed[]): boolean => {
    const order = compareRanks(
      one.map(({ id }) => rankOf(id)),
      other.map(({ id }) => rankOf(id)),
    )
    const byId = (): number =>
      compareRanks(
        one.map(({ id }) => id),
        other.map(({ id }) => id),
      )
    return (order || byId()) <= 0
  }
  const arrange: Arrange = (one, other) => bySection(partsOf(one, levelOf), partsOf(other, levelOf), isFirst)
  const result: Placed[][] = []
  let i = 0
  let j = 0
  // Two items of the base are two, however equal.
  const isOne = ([x, y]: Match): boolean => {
    const [one, other] = [a[x]?.id ?? '', b[y]?.id ?? '']
    return one === other || !inBase.has(one) || !inBase.has(other)
  }
  const matches = matchRanks(ranksA, ranksB, budget).filter(isOne)
  for (const [x, y] of [...matches, [a.length, b.length] as const]) {
    result.push(bySlot(a.slice(i, x), b.slice(j, y), arrange))
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

/** A part of a run that ends no section but its own: it begins with the item of this level, or with none. */
type Part = { readonly level: number; readonly items: Placed[] }

function partsOf(run: readonly Placed[], levelOf: (id: string) => number | undefined): Part[] {
  const parts: Part[] = []
  for (const one of run) {
    const level = levelOf(one.id) ?? Number.POSITIVE_INFINITY
    const last = parts.at(-1)
    if (last === undefined || level < last.level) parts.push({ level, items: [one] })
    else last.items.push(one)
  }
  return parts
}

/** The parts of both runs, the lowest sections first; of two at one level, one goes first. */
function bySection(
  a: readonly Part[],
  b: readonly Part[],
  isFirst: (a: readonly Placed[], b: readonly Placed[]) => boolean,
): Placed[] {
  const result: Placed[][] = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [one, other] = [a[i], b[j]]
    const isOne =
      other === undefined ||
      (one !== undefined &&
        (one.level === other.level ? isFirst(one.items, other.items) : one.level > other.level))
    const next = isOne ? a[i++] : b[j++]
    if (next !== undefined) result.push(next.items)
  }
  return result.flat()
}

/** Merges two runs by slot. */
function bySlot(a: readonly Placed[], b: readonly Placed[], arrange: Arrange): Placed[] {
  const result: (readonly Placed[])[] = []
  const endOf = (run: readonly Placed[], from: number): number => {
    let end = from
    while (end < run.length && run[end]?.slot === run[from]?.slot) end++
    return end
  }
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [slotA, slotB] = [a[i]?.slot ?? Number.POSITIVE_INFINITY, b[j]?.slot ?? Number.POSITIVE_INFINITY]
    const partA = slotA <= slotB ? a.slice(i, endOf(a, i)) : []
    const partB = slotB <= slotA ? b.slice(j, endOf(b, j)) : []
    result.push(arrange(partA, partB))
    i += partA.length
    j += partB.length
  }
  return result.flat()
}

/** The common items of both runs, independent of their order. */
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

/** An item may be in both runs in different orders. */
function onceEach(merged: readonly Placed[]): Placed[] {
  const seen = new Set<string>()
  return merged.filter(({ id }) => !seen.has(id) && seen.add(id) !== undefined)
}
