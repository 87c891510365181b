// Whether the sides agree on a gap. They do not if both removed or changed a block of the base and wrote different text
// instead, or if both wrote nearly the same.
import type { Gap, Gaps, Hunk, Hunks, Ids, SideName } from './merge-gaps.ts'
import type { Insertions } from './merge-insertions.ts'

/** `torn` are blocks that were moved into a clash. */
export function isDisagreed(
  gaps: Gaps,
  gap: Gap,
  hunks: Hunks,
  { torn, insertions }: { readonly torn: ReadonlySet<string>; readonly insertions: Insertions },
): boolean {
  const { base, ours, theirs } = gaps.pieces
  const [inOurs, inTheirs] = [byGone(hunks.ours), byGone(hunks.theirs)]
  let compared: readonly (Hunk | undefined)[] = []
  for (const id of gap.base) {
    if (torn.has(id)) return true
    const [o, t] = [ours.piece(id), theirs.piece(id)]
    if (o !== undefined && t !== undefined) {
      if (gaps.isApart(id)) return true
      continue
    }
    const [hunkO, hunkT] = [inOurs.get(id), inTheirs.get(id)]
    if (o === undefined && t === undefined) {
      if (compared[0] === hunkO && compared[1] === hunkT) continue
      compared = [hunkO, hunkT]
      if (!isSame(gaps, hunkO?.added ?? [], hunkT?.added ?? [])) return true
      if (isJoined(gaps, gap, 'ours') !== isJoined(gaps, gap, 'theirs')) return true
      continue
    }
    if ((o ?? t)?.bare !== base.get(id).bare) return true
    // One side moved it. It conflicts if the other wrote something else there, but not if it only removed it.
    const [keeper, hunk] = o === undefined ? (['theirs', hunkO] as const) : (['ours', hunkT] as const)
    if (!gaps.isInPlace(id, [keeper]) && hunk !== undefined && hunk.added.length > 0) return true
  }
  return insertions.areAlike(addedBy(hunks.ours), addedBy(hunks.theirs))
}

const byGone = (hunks: readonly Hunk[]): Map<string, Hunk> =>
  new Map(hunks.flatMap(hunk => hunk.gone.map(id => [id, hunk] as const)))

const addedBy = (hunks: readonly Hunk[]): string[] => hunks.flatMap(({ added }) => added)

const isSame = ({ pieces }: Gaps, ours: Ids, theirs: Ids): boolean =>
  ours.length === theirs.length &&
  ours.every((id, at) => pieces.ours.get(id).bare === pieces.theirs.piece(theirs[at] ?? '')?.bare)

/** Whether a side moved lines of a gap into the block before or after it. */
function isJoined(gaps: Gaps, gap: Gap, side: SideName): boolean {
  const { base, [side]: pieces } = gaps.pieces
  const lines = new Set(gap.base.flatMap(id => linesOf(base.get(id).bare)))
  return gaps.besides(gap).some(id => {
    const text = pieces.piece(id)?.bare
    if (text === undefined || text === base.get(id).bare) return false
    const before = new Set(linesOf(base.get(id).bare))
    return linesOf(text).some(line => lines.has(line) && !before.has(line))
  })
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
