// What moves along with a section that one side moved, and what happens if the other side removed it.
import { longestCommonOrder, type Pieces } from './document-pieces.ts'
import { findParents } from './sections.ts'
import type { Versions } from './versions.ts'

export function withMovedSections({ base, ours, theirs }: Versions<Pieces>): Versions<Pieces> {
  const [inOurs, inTheirs] = [findWritten(base, ours, theirs), findWritten(base, theirs, ours)]
  const o = joined(ours, [...inOurs, ...findEqual(base, ours, theirs, inTheirs)])
  const t = joined(theirs, [...inTheirs, ...findEqual(base, theirs, ours, inOurs)])
  return { base, ours: withMoved(base, o, t, 'o'), theirs: withMoved(base, t, o, 't') }
}

/**
 * What one side moved unchanged and the other removed is kept at its new place, as if it were written there, if it is a
 * section as a whole, or in another section than before. Otherwise the removal wins.
 */
function withMoved(base: Pieces, side: Pieces, other: Pieces, prefix: string): Pieces {
  const isOnlyMoved = (id: string): boolean => !other.has(id) && side.get(id).bare === base.get(id).bare
  const sections = movedRuns(base, side).filter(
    ([first = '', ...rest]) => base.get(first).level !== undefined && [first, ...rest].every(isOnlyMoved),
  )
  const kept = [...sections.flat(), ...movedElsewhere(base, side).filter(isOnlyMoved)]
  return kept.length === 0 ? side : side.rename(kept, prefix)
}

/**
 * The blocks that a side moved into another section. A new heading before a block is no move, so the sections are those
 * without the headings that the side wrote.
 */
function movedElsewhere(base: Pieces, side: Pieces): string[] {
  const [before, after] = [headingsOf(base, base), headingsOf(side, base)]
  const placed = longestCommonOrder(base, side)
  return base.ids.filter(id => {
    const [former, heading] = [before.get(id), after.get(id)]
    if (former === undefined || former === heading || !side.has(id)) return false
    if (!side.has(former)) return !placed.has(id)
    return side.positionOf(former) > side.positionOf(id) || heading !== undefined
  })
}

/** The heading of the base that is directly above each block. */
function headingsOf({ ids, get }: Pieces, base: Pieces): ReadonlyMap<string, string | undefined> {
  const parents = findParents(ids.map(id => (base.has(id) ? get(id).level : undefined)))
  return new Map(ids.map((id, at) => [id, ids[parents[at] ?? -1]]))
}

/** The blocks that a side moved, in runs that are adjacent on that side and in the base. */
function movedRuns(base: Pieces, side: Pieces): string[][] {
  const placed = longestCommonOrder(base, side)
  const runs: string[][] = []
  for (const id of side.ids) {
    if (!base.has(id) || placed.has(id)) continue
    const last = runs.at(-1)?.at(-1)
    if (last !== undefined && base.nextOf(last) === id && side.nextOf(last) === id) runs.at(-1)?.push(id)
    else runs.push([id])
  }
  return runs
}

/** A block of the base and the text behind it that belongs to it. */
type Group = { readonly id: string; readonly members: string[] }

const joined = (side: Pieces, groups: readonly Group[]): Pieces =>
  groups.length === 0 ? side : side.join(groups)

/** The same text where the side that moved the section has it too, as it does if the other was merged into it before. */
const findEqual = (base: Pieces, side: Pieces, other: Pieces, groups: readonly Group[]): Group[] =>
  groups.flatMap(({ id, members }) => {
    const from = side.positionOf(id)
    const own = side.ids.slice(from, from + members.length)
    const isEqual = members.every((one, at) => {
      const member = own[at] ?? ''
      return at === 0 || (!base.has(member) && side.piece(member)?.bare === other.get(one).bare)
    })
    return isEqual ? [{ id, members: own }] : []
  })

/** Text that a side wrote into a section that the other moved belongs to the block before it. */
function findWritten(base: Pieces, side: Pieces, other: Pieces): Group[] {
  const [placed, placedByOther] = [longestCommonOrder(base, side), longestCommonOrder(base, other)]
  const groups: Group[] = []
  let group: Group | undefined
  for (const id of side.ids) {
    if (!base.has(id)) {
      group?.members.push(id)
      continue
    }
    if (group !== undefined && isOfMoved(base, side, other, group.members, id)) groups.push(group)
    const isMoved = placed.has(id) && other.has(id) && !placedByOther.has(id)
    group = isMoved ? { id, members: [id] } : undefined
  }
  if (group !== undefined && isOfMoved(base, side, other, group.members, undefined)) groups.push(group)
  return groups
}

/** Whether the blocks after the first of these, up to `next`, follow it to where the other side moved it. */
function isOfMoved(
  base: Pieces,
  side: Pieces,
  other: Pieces,
  [id, written]: readonly string[],
  next: string | undefined,
): boolean {
  if (id === undefined || written === undefined) return false
  if (next !== undefined && other.nextOf(id) === next) return true
  // It is the end of a section that was moved with it, unless it begins another.
  const nextLevel = next === undefined ? 0 : base.get(next).level
  if (nextLevel === undefined) return false
  const level = side.get(written).level ?? Number.POSITIVE_INFINITY
  for (let at = base.positionOf(id); at >= 0; at--) {
    const above = base.ids[at]
    if (above === undefined) return false
    const heading = base.get(above).level
    if (heading !== undefined) return heading >= nextLevel && heading < level
    if (other.nextOf(base.ids[at - 1] ?? '') !== above) return false
  }
  return false
}
