// Clashes: gaps of a document that must not be merged silently. Most gaps were changed by one side only, or take the
// changes of both.
import type { Pieces } from './document-pieces.ts'
import { isDisagreed } from './merge-agreement.ts'
import type { Budget } from './merge-budget.ts'
import { type Gap, Gaps, type Ids, SIDES } from './merge-gaps.ts'
import { Insertions } from './merge-insertions.ts'
import { isWrittenInto } from './merge-removals.ts'
import type { Versions } from './versions.ts'

/** The conflicting pieces of a gap, by version. */
export type Clash = {
  /** The key of its first block in the base; for insertions of both sides, that of the block before it and a `+`. */
  readonly key: string
  readonly runs: Versions<Ids>
  /** Whether it may be merged by lines: not if something was moved, or written into a removed part. */
  readonly isForLines: boolean
}

// Each round may extend a clash. After this many the clashes are correct, but a run may leave out what was moved into
// the middle of it.
const ROUNDS_MAX = 5

/**
 * The clashes of three versions, in order, and the versions adjusted to them: a block that was moved into the middle of
 * a clash gets a new identity, so that every run is one stretch of its side. `disputed` are blocks that both sides kept
 * but whose lines could not be merged; a moved block is not part of a clash. Clashes of `whole` ones are not merged by
 * lines.
 */
export function findClashes(
  pieces: Versions<Pieces>,
  { disputed, whole }: { readonly disputed: ReadonlySet<string>; readonly whole: ReadonlySet<string> },
  budget: Budget,
): { readonly clashes: readonly Clash[]; readonly pieces: Versions<Pieces> } {
  let seen = pieces
  // Blocks that both have but at which no gap ends, and blocks that were moved from their place into a clash.
  const [apart, torn] = [new Set(disputed), new Set<string>()]
  for (let round = 1; ; round++) {
    const gaps = new Gaps(seen, apart)
    const insertions = new Insertions(seen, budget)
    const found = [...gaps].flatMap(gap => {
      const hunks = gaps.hunksOf(gap)
      const isInside = isWrittenInto(gaps.pieces, gap, hunks)
      return isInside || isDisagreed(gaps, gap, hunks, { torn, insertions })
        ? [{ gap, clash: toClash(gaps, gap, !isInside && !gap.base.some(id => whole.has(id))) }]
        : []
    })
    const widened = found.flatMap(one => touchedBeside(gaps, one))
    const inMidst = found.flatMap(one => movedInMidst(gaps, one))
    const [ours, theirs] = [gaps.movedBy('ours', inMidst), gaps.movedBy('theirs', inMidst)]
    if (round === ROUNDS_MAX || widened.length + inMidst.length === 0)
      return { clashes: found.map(({ clash }) => clash), pieces: seen }
    for (const id of widened) apart.add(id)
    for (const id of inMidst) torn.add(id)
    seen = { base: seen.base, ours: seen.ours.rename(ours, 'o'), theirs: seen.theirs.rename(theirs, 't') }
  }
}

type LocatedClash = { readonly gap: Gap; readonly clash: Clash }

function toClash(gaps: Gaps, gap: Gap, isUnmoved: boolean): Clash {
  const { base, ours, theirs } = gaps.pieces
  const isOfBoth = (id: string): boolean => ours.has(id) && theirs.has(id)
  // What a side moved goes its own way, unless the other replaced it.
  const members = new Set(gap.base.filter(id => !isOfBoth(id) || gaps.isInPlace(id)))
  const runOf = (side: Pieces, ids: Ids): Ids => {
    const run = new Set(ids.filter(id => !base.has(id) || members.has(id)))
    for (const id of members) if (side.has(id)) run.add(id)
    return [...run].sort((a, b) => side.positionOf(a) - side.positionOf(b))
  }
  const runs = { base: [...members], ours: runOf(ours, gap.ours), theirs: runOf(theirs, gap.theirs) }
  const isWhole = (['base', 'ours', 'theirs'] as const).every(
    name => runs[name].length === gap[name].length && runs[name].every((id, at) => id === gap[name][at]),
  )
  const [first] = runs.base
  const before = base.ids[gap.start - 1]
  return {
    key: first !== undefined ? base.get(first).key : `${before === undefined ? '' : base.get(before).key}+`,
    runs,
    isForLines: isUnmoved && isWhole,
  }
}

/** Neighbours of a clash that were changed by a side which has nothing left in the clash. */
const touchedBeside = (gaps: Gaps, { gap, clash }: LocatedClash): string[] =>
  SIDES.filter(side => clash.runs[side].length === 0).flatMap(side =>
    gaps.besides(gap).filter(id => gaps.pieces[side].piece(id)?.bare !== gaps.pieces.base.get(id).bare),
  )

/** Blocks of the base that one side moved and that split a run of a clash, or are a separate part of it. */
function movedInMidst(gaps: Gaps, { gap, clash: { runs } }: LocatedClash): string[] {
  const { base, ...sides } = gaps.pieces
  return SIDES.flatMap(side => {
    const [first, last] = [runs[side][0], runs[side].at(-1)]
    if (first === undefined || last === undefined) return []
    const [from, to] = [sides[side].positionOf(first), sides[side].positionOf(last)]
    if (to - from === runs[side].length - 1) return []
    const inBase = [...new Set([...gap[side], ...runs[side]])].filter(base.has)
    return [...gaps.movedBy('ours', inBase), ...gaps.movedBy('theirs', inBase)]
  })
}
