// Why git has a conflict where Octavo has none, decided from the texts alone. The kinds are those of docs/merging.md.
import type { BlockConflict } from '../../../src/engines/content/merge-conflicts.ts'
import { matchSequences } from '../../../src/engines/content/sequences.ts'
import { ALIKE_MIN, similarity, type Words, wordsOf } from '../../../src/engines/content/similarity.ts'
import { mapVersions, type Versions } from '../../../src/engines/content/versions.ts'
import type { Hunk } from './mergers.ts'

export const KINDS = [
  /** Line ends, blank lines, spaces at the end of a line, a missing end of the last line. */
  'white space',
  /** Both made the same change, one of them more around it. */
  'the same change made twice',
  /** Both wrote something at one place that has nothing in common. */
  'unlike insertions',
  /** Each changed or removed something, or wrote something, and no line of the base was touched by both. */
  'neighbouring paragraphs',
  /** One moved what the other changed or moved. */
  'a section moved and edited',
  /** Both replaced the same lines by something else: never to be passed over. */
  'replacement against replacement',
] as const
export type Kind = (typeof KINDS)[number]

/** Whether Octavo reports the conflict, too: one of its conflicts has a line that a side changed in this one. */
export function isTold(hunk: Hunk, conflicts: readonly BlockConflict[]): boolean {
  const changed = {
    ours: without(wordy(hunk.ours), hunk.base),
    theirs: without(wordy(hunk.theirs), hunk.base),
  }
  const gone = {
    ours: without(wordy(hunk.base), hunk.ours),
    theirs: without(wordy(hunk.base), hunk.theirs),
  }
  return conflicts.some(conflict => {
    const lines = {
      base: new Set(wordy((conflict.base ?? '').split('\n'))),
      ours: new Set(wordy((conflict.ours ?? '').split('\n'))),
      theirs: new Set(wordy((conflict.theirs ?? '').split('\n'))),
    }
    return (['ours', 'theirs'] as const).some(
      side =>
        changed[side].some(line => lines[side].has(line)) ||
        gone[side].some(line => lines.base.has(line) && !lines[side].has(line)),
    )
  })
}

/** The kind of a conflict that git has and Octavo has not; undefined where it is none of them. */
export function kindOf(hunk: Hunk, whole: Versions): Kind | undefined {
  const lines = mapVersions<readonly string[], string[]>(hunk, wordy)
  const [base, ours, theirs] = [lines.base, lines.ours, lines.theirs].map(part => part.join('\n'))
  if (ours === theirs || ours === base || theirs === base) return 'white space'
  const written = { ours: less(lines.ours, lines.base), theirs: less(lines.theirs, lines.base) }
  const gone = { ours: less(lines.base, lines.ours), theirs: less(lines.base, lines.theirs) }
  const isOnlyMoved = (side: Side): boolean => written[side].length + gone[side].length === 0
  if (isOnlyMoved('ours') || isOnlyMoved('theirs')) return 'a section moved and edited'
  // What one wrote here and the other did not write anywhere: git may have found it elsewhere on the other side.
  const counts = mapVersions(whole, text => countOf(wordy(text.split('\n'))))
  const own = {
    ours: written.ours.filter(line => !isWritten(line, counts.base, counts.theirs)),
    theirs: written.theirs.filter(line => !isWritten(line, counts.base, counts.ours)),
  }
  const both = touchedByBoth(lines)
  if (both.length === 0 && gone.ours.length + gone.theirs.length > 0) return 'neighbouring paragraphs'
  if (both.length > 0 && SIDES.some(side => both.every(line => isElsewhere(line, side, counts))))
    return 'a section moved and edited'
  if (SIDES.some(side => isDoneByOther(side, own, gone))) return 'the same change made twice'
  if (own.ours.length === 0 || own.theirs.length === 0) return undefined
  return both.length === 0 ? 'unlike insertions' : 'replacement against replacement'
}

type Side = 'ours' | 'theirs'
const SIDES = ['ours', 'theirs'] as const
type BySide = { readonly [S in Side]: readonly string[] }
type Counts = ReadonlyMap<string, number>

function countOf(lines: readonly string[]): Counts {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

const isWritten = (line: string, before: Counts, after: Counts): boolean =>
  (after.get(line) ?? 0) > (before.get(line) ?? 0)

/** Whether the side, which has not got the line here any more, has it as often as before. */
const isElsewhere = (line: string, side: Side, counts: Versions<Counts>): boolean =>
  !isWritten(line, counts[side], counts.base)

/** Lines of the base that neither side has in its place. */
function touchedByBoth({ base, ours, theirs }: Versions<readonly string[]>): string[] {
  const [o, t] = [ours, theirs].map(side => new Set(matchSequences(base, side).map(([at]) => at)))
  return base.filter((_, at) => !o?.has(at) && !t?.has(at))
}

/** Whether the other side did all that this one did, and did not rewrite what this one removed. */
function isDoneByOther(side: Side, own: BySide, gone: BySide): boolean {
  const other = side === 'ours' ? 'theirs' : 'ours'
  if (own[side].length > 0 || less(gone[side], gone[other]).length > 0) return false
  const [removed, rewritten] = [gone[side], own[other]].map(lines => wordsOf(lines.join('\n')))
  return similarity(removed as Words, rewritten as Words) < ALIKE_MIN
}

/** Lines with something on them, without the white space around them. */
const wordy = (lines: readonly string[]): string[] =>
  lines.map(line => line.trim()).filter(line => line !== '')

const without = (lines: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(wordy(others))
  return lines.filter(line => !known.has(line))
}

/** What the others do not have, or not as often. */
function less(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map(countOf(others))
  return lines.filter(line => {
    const count = left.get(line) ?? 0
    if (count > 0) left.set(line, count - 1)
    return count === 0
  })
}
