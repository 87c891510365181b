// Whether one side wrote into text that the other removed: between blocks of it, at the end of a section of it, or a
// heading directly above it.
import type { Pieces } from './document-pieces.ts'
import type { Gap, Hunk, Hunks, SideName } from './merge-gaps.ts'
import type { Versions } from './versions.ts'

export const isWrittenInto = (pieces: Versions<Pieces>, gap: Gap, { ours, theirs }: Hunks): boolean =>
  ours.some(hunk => isInside(pieces, gap, hunk, { writer: 'ours', remover: 'theirs' })) ||
  theirs.some(hunk => isInside(pieces, gap, hunk, { writer: 'theirs', remover: 'ours' }))

function isInside(
  pieces: Versions<Pieces>,
  gap: Gap,
  { gone, added, end }: Hunk,
  { writer, remover }: { readonly writer: SideName; readonly remover: SideName },
): boolean {
  const first = added[0]
  if (first === undefined) return false
  const { base } = pieces
  const isGone = (at: number): boolean => base.ids[at] !== undefined && !pieces[remover].has(base.ids[at])
  if (isGone(end) && isBelow(levelAt(base, end), added, pieces[writer])) return true
  if (gone.length > 0) return false
  if (!isGone(end - 1)) return false
  if (isGone(end)) return true
  const next = levelAt(base, end)
  if (next === undefined && end < base.ids.length) return false
  const written = pieces[writer].get(first).level ?? Number.POSITIVE_INFINITY
  for (let at = end - 1, lowest = Number.POSITIVE_INFINITY; at >= gap.start && isGone(at); at--) {
    const level = levelAt(base, at)
    if (level === undefined || level >= lowest) continue
    lowest = level
    if (next !== undefined && next > level) return false
    if (written > level) return true
  }
  return false
}

/** Whether a block of a level that follows these is in the section of one of them. */
function isBelow(level: number | undefined, added: readonly string[], pieces: Pieces): boolean {
  return added.some(
    id => (pieces.get(id).level ?? Number.POSITIVE_INFINITY) < (level ?? Number.POSITIVE_INFINITY),
  )
}

const levelAt = (pieces: Pieces, at: number): number | undefined => {
  const id = pieces.ids[at]
  return id === undefined ? undefined : pieces.get(id).level
}
