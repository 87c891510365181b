// Why git has a conflict where Octavo has none, told from the texts alone. The kinds are those of docs/merging.md.
import type { BlockConflict } from '../../../src/engines/content/merge-documents.ts'
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

/** Whether Octavo tells of the conflict, too: one of its conflicts has a line that a side changed in this one. */
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

/** The kind of a conflict that git has and Octavo has not. */
export function kindOf(hunk: Hunk, whole: Versions): Kind {
  const lines = { base: wordy(hunk.base), ours: wordy(hunk.ours), theirs: wordy(hunk.theirs) }
  const written = { ours: without(lines.ours, lines.base), theirs: without(lines.theirs, lines.base) }
  const counts = mapVersions(whole, text => countLines(text))
  // What one wrote here and the other did not write anywhere: git may have found it elsewhere on the other side.
  const own = {
    ours: written.ours.filter(line => !isWritten(line, counts.base, counts.theirs)),
    theirs: written.theirs.filter(line => !isWritten(line, counts.base, counts.ours)),
  }
  const gone = { ours: without(lines.base, lines.ours), theirs: without(lines.base, lines.theirs) }
  const isSilent = (side: 'ours' | 'theirs'): boolean => written[side].length + gone[side].length === 0
  if (isSilent('ours') || isSilent('theirs')) {
    const isSame = lines.ours.join('\n') === lines.theirs.join('\n')
    return isSame || isSameSet(lines.base, lines.ours) || isSameSet(lines.base, lines.theirs)
      ? 'white space'
      : 'neighbouring paragraphs'
  }
  const both = gone.ours.filter(line => gone.theirs.includes(line))
  if (both.length === 0)
    return lines.base.length === 0 || gone.ours.length + gone.theirs.length === 0
      ? insertions(own)
      : 'neighbouring paragraphs'
  if (both.every(line => counts.ours.has(line) || counts.theirs.has(line)))
    return 'a section moved and edited'
  if (own.ours.length === 0 || own.theirs.length === 0) return 'the same change made twice'
  return 'replacement against replacement'
}

type Lines = ReadonlyMap<string, number>

function countLines(text: string): Lines {
  const counts = new Map<string, number>()
  for (const line of wordy(text.split('\n'))) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

const isWritten = (line: string, before: Lines, after: Lines): boolean =>
  (after.get(line) ?? 0) > (before.get(line) ?? 0)

function insertions(own: { readonly ours: readonly string[]; readonly theirs: readonly string[] }): Kind {
  return own.ours.length === 0 || own.theirs.length === 0 ? 'the same change made twice' : 'unlike insertions'
}

/** Lines with something on them, without the white space around them. */
const wordy = (lines: readonly string[]): string[] =>
  lines.map(line => line.trim()).filter(line => line !== '')

const without = (lines: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(wordy(others))
  return lines.filter(line => !known.has(line))
}

const isWithin = (lines: readonly string[], others: readonly string[]): boolean =>
  lines.every(line => others.includes(line))
const isSameSet = (a: readonly string[], b: readonly string[]): boolean => isWithin(a, b) && isWithin(b, a)
