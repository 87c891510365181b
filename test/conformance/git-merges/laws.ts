// What must hold of every merge of real texts, whatever git makes of them.
import { matchSequences } from '../../../src/engines/content/sequences.ts'
import type { Versions } from '../../../src/engines/content/versions.ts'
import { type Git, mergeByOctavo, type Outcome } from './mergers.ts'

type Merged = ReturnType<typeof mergeByOctavo>

/** The laws that the merge of three texts breaks, by name. `known` are texts that somebody made of both sides. */
export function brokenLaws(versions: Versions, merged: Merged, git: Git, known: readonly string[]): string[] {
  const { base, ours, theirs } = versions
  const broken: string[] = []
  const hold = (law: string, isHeld: boolean): void => {
    if (!isHeld) broken.push(law)
  }
  const back = mergeByOctavo({ base, ours: theirs, theirs: ours })
  hold('says the same whichever side is ours', isSymmetric(merged, back))
  hold(
    'a side that changed nothing leaves the other',
    mergeByOctavo({ base, ours, theirs: base }).text === ours,
  )
  hold('what both made is made once', mergeByOctavo({ base, ours, theirs: ours }).text === ours)
  for (const take of ['ours', 'theirs'] as const)
    hold(`taking ${take} gives its run`, isTaken(versions, merged, take))
  hold('loses no line', losesNothing(versions, merged))
  hold('brings no line back', bringsNothingBack(versions, merged))
  for (const text of new Set(known)) {
    for (const side of [ours, theirs]) {
      const again = { base, ours: text, theirs: side }
      const byGit: Outcome<unknown> = git.merge(again)
      if (byGit.conflicts.length > 0 || byGit.text !== text) continue
      const { text: result, conflicts } = mergeByOctavo(again)
      hold('merging a side again changes nothing', conflicts.length === 0 && result === text)
    }
  }
  return broken
}

function isSymmetric(there: Merged, back: Merged): boolean {
  const turned = back.conflicts.map(conflict => ({
    ...conflict,
    ours: conflict.theirs,
    theirs: conflict.ours,
  }))
  return (
    JSON.stringify(there.conflicts) === JSON.stringify(turned) &&
    (there.conflicts.length > 0 || there.text === back.text)
  )
}

const toNewlines = (text: string): string => text.replaceAll('\r\n', '\n')

/** The run is that of the side, and stands where it is taken. */
function isTaken(versions: Versions, { conflicts }: Merged, take: 'ours' | 'theirs'): boolean {
  if (conflicts.length === 0) return true
  const [side, text] = [toNewlines(versions[take]), toNewlines(mergeByOctavo(versions, take).text)]
  return conflicts.every(conflict => {
    const run = conflict[take] === null ? '' : toNewlines(conflict[take])
    return side.includes(run) && text.includes(run)
  })
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

/** What a side wrote is in the result, or in a conflict. */
function losesNothing({ base, ours, theirs }: Versions, { text, conflicts }: Merged): boolean {
  const before = new Set(linesOf(base))
  const told = conflicts.flatMap(({ ours, theirs }) => linesOf(`${ours ?? ''}\n${theirs ?? ''}`))
  const after = new Set([...linesOf(text), ...told])
  return [ours, theirs].every(side => linesOf(side).every(line => before.has(line) || after.has(line)))
}

/** What a side took away, and the other did not write anew, is gone where nothing conflicts. */
function bringsNothingBack({ base, ours, theirs }: Versions, { text, conflicts }: Merged): boolean {
  if (conflicts.length > 0) return true
  const [before, after] = [linesOf(base), new Set(linesOf(text))]
  const [a, b] = [changesOf(before, linesOf(ours)), changesOf(before, linesOf(theirs))]
  const isBack = (
    gone: ReadonlySet<string>,
    all: ReadonlySet<string>,
    written: ReadonlySet<string>,
  ): boolean => [...gone].some(line => !all.has(line) && !written.has(line) && after.has(line))
  return (
    !isBack(a.gone, new Set(linesOf(ours)), b.written) && !isBack(b.gone, new Set(linesOf(theirs)), a.written)
  )
}

/** Lines that were taken away and lines that were written, be it the same elsewhere. */
function changesOf(before: readonly string[], after: readonly string[]) {
  const matches = matchSequences(before, after)
  const [kept, stayed] = [new Set(matches.map(([i]) => i)), new Set(matches.map(([, j]) => j))]
  return {
    gone: new Set(before.filter((_, i) => !kept.has(i))),
    written: new Set(after.filter((_, j) => !stayed.has(j))),
  }
}
