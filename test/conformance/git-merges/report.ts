// Many merges of files as one report: how often both say the same, where only one of them sees a conflict, and why.
import type { FileMerge } from './history.ts'
import { isTold, KINDS, type Kind, kindOf } from './kinds.ts'
import { brokenLaws } from './laws.ts'
import { Git, type Hunk, mergeByOctavo } from './mergers.ts'

export type Counts = {
  files: number
  bothCleanAndEqual: number
  bothCleanAndDiffer: number
  bothConflict: number
  onlyGitConflicts: number
  onlyOctavoConflicts: number
  /** Conflicts of git, and those that Octavo reports. */
  hunks: { git: number; told: number }
  /** Conflicts of git that Octavo does not report, by their kind. */
  onlyGit: Record<Kind, number>
  /** Those of no kind. */
  unnamed: number
  laws: { broken: number; byName: Record<string, number> }
}

export type Example = {
  readonly commit: string
  readonly path: string
  readonly parts: { readonly [title: string]: string }
}

export type Report = { readonly counts: Counts; readonly examples: ReadonlyMap<string, readonly Example[]> }

// Of a hundred files, those at which Octavo may stop alone.
const ONLY_OCTAVO_MAX = 0.3

/** What must not be, in sentences. */
export function listFaults({ files, onlyOctavoConflicts, onlyGit, unnamed, laws }: Counts): string[] {
  const share = (100 * onlyOctavoConflicts) / Math.max(1, files)
  const passedOver = onlyGit['replacement against replacement']
  return [
    ...Object.entries(laws.byName).map(([law, count]) => `broken ${count} times: ${law}`),
    ...(passedOver > 0 ? [`replacements of one text that are no conflict: ${passedOver}`] : []),
    ...(unnamed > 0 ? [`conflicts of git alone that are of no kind: ${unnamed}`] : []),
    ...(share < ONLY_OCTAVO_MAX ? [] : [`conflicts of Octavo alone in ${share.toFixed(2)} % of the files`]),
  ]
}

export async function toReport(
  merges: AsyncIterable<FileMerge>,
  { examplesMax = 0, filesMax = Number.MAX_SAFE_INTEGER } = {},
): Promise<Report> {
  const counts: Counts = {
    files: 0,
    bothCleanAndEqual: 0,
    bothCleanAndDiffer: 0,
    bothConflict: 0,
    onlyGitConflicts: 0,
    onlyOctavoConflicts: 0,
    hunks: { git: 0, told: 0 },
    onlyGit: Object.fromEntries(KINDS.map(kind => [kind, 0])) as Record<Kind, number>,
    unnamed: 0,
    laws: { broken: 0, byName: {} },
  }
  const examples = new Map<string, Example[]>()
  const show = (name: string, merge: FileMerge, parts: Example['parts']): void => {
    const known = examples.get(name) ?? []
    examples.set(name, known)
    if (known.length < examplesMax) known.push({ commit: merge.commit, path: merge.path, parts })
  }
  const git = new Git()
  try {
    for await (const merge of merges) {
      if (counts.files >= filesMax) break
      counts.files += 1
      compare(merge, git, counts, show)
    }
  } finally {
    git.close()
  }
  return { counts, examples }
}

function compare(
  merge: FileMerge,
  git: Git,
  counts: Counts,
  show: (name: string, merge: FileMerge, parts: Example['parts']) => void,
): void {
  const { base, ours, theirs, people } = merge
  const octavo = mergeByOctavo(merge)
  const byGit = git.merge(merge)
  const [isClean, isCleanToGit] = [octavo.conflicts.length === 0, byGit.conflicts.length === 0]
  if (isClean && isCleanToGit) {
    if (octavo.text === byGit.text) counts.bothCleanAndEqual += 1
    else {
      counts.bothCleanAndDiffer += 1
      show('both clean and differ', merge, { git: byGit.text, octavo: octavo.text })
    }
  } else if (isClean) counts.onlyGitConflicts += 1
  else if (isCleanToGit) {
    counts.onlyOctavoConflicts += 1
    for (const conflict of octavo.conflicts) show('only Octavo', merge, toParts(conflict))
  } else counts.bothConflict += 1

  for (const hunk of byGit.conflicts) {
    counts.hunks.git += 1
    if (isTold(hunk, octavo.conflicts)) {
      counts.hunks.told += 1
      continue
    }
    const kind = kindOf(hunk, merge)
    if (kind === undefined) counts.unnamed += 1
    else counts.onlyGit[kind] += 1
    show(kind ?? 'of no kind', merge, joinHunk(hunk))
  }

  const known = [
    ...(people === null ? [] : [people]),
    ...(isClean ? [octavo.text] : []),
    ...(isCleanToGit ? [byGit.text] : []),
  ]
  for (const law of brokenLaws(mergeByOctavo, { base, ours, theirs }, git, known)) {
    counts.laws.broken += 1
    counts.laws.byName[law] = (counts.laws.byName[law] ?? 0) + 1
    show(law, merge, { base, ours, theirs, octavo: octavo.text })
  }
}

const toParts = ({ base, ours, theirs }: { [K in 'base' | 'ours' | 'theirs']: string | null }) => ({
  base: base ?? '(nothing)',
  ours: ours ?? '(nothing)',
  theirs: theirs ?? '(nothing)',
})

const joinHunk = ({ base, ours, theirs }: Hunk) => ({
  base: base.join(''),
  ours: ours.join(''),
  theirs: theirs.join(''),
})
