// What must hold of every merge of real texts, whatever git makes of them.
import { matchSequences } from '../../../src/engines/content/sequences.ts'
import type { Versions } from '../../../src/engines/content/versions.ts'
import type { Git, Merge, Outcome } from './mergers.ts'

type Merged = ReturnType<Merge>

/** The laws that the merge of three texts breaks, by name. `known` are texts that somebody made of both sides. */
export function brokenLaws(merge: Merge, versions: Versions, git: Git, known: readonly string[]): string[] {
  const { base, ours, theirs } = versions
  const merged = merge(versions)
  const broken: string[] = []
  const hold = (law: string, isHeld: boolean): void => {
    if (!isHeld) broken.push(law)
  }
  const back = merge({ base, ours: theirs, theirs: ours })
  hold('says the same whichever side is ours', isSymmetric(merged, back))
  hold('a side that changed nothing leaves the other', merge({ base, ours, theirs: base }).text === ours)
  hold('what both made is made once', merge({ base, ours, theirs: ours }).text === ours)
  for (const take of ['ours', 'theirs', 'base'] as const)
    hold(`taking ${take} gives its run`, isTaken(merge, versions, merged, take))
  hold('loses no line', losesNothing(versions, merged))
  hold('brings no line back', bringsNothingBack(versions, merged))
  for (const text of new Set(known)) {
    for (const side of [ours, theirs]) {
      const again = { base, ours: text, theirs: side }
      const byGit: Outcome<unknown> = git.merge(again)
      if (byGit.conflicts.length > 0 || byGit.text !== text) continue
      const { text: result, conflicts } = merge(again)
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

/**
 * With a side taken at every conflict, exactly its runs are where the conflicts are, and nothing else depends on it:
 * signs that stand for the conflicts tell the places. Where nobody changed anything beside the conflicts, the side is there
 * to the byte.
 */
function isTaken(merge: Merge, versions: Versions, { conflicts }: Merged, take: keyof Versions): boolean {
  if (conflicts.length === 0) return true
  const { text } = merge(versions, take)
  const signs = new Map(conflicts.map(({ block }, at) => [block, `\u{f0000}${at}\u{f0001}`]))
  const marked = merge(versions, ({ block }) => signs.get(block)).text
  const runs = new Map(conflicts.map(conflict => [signs.get(conflict.block), conflict[take]]))
  const filled = marked.replace(/\u{f0000}\d+\u{f0001}/gu, sign => runs.get(sign) ?? '')
  // Blank lines around nothing are those of its neighbours.
  const isFull = conflicts.every(conflict => conflict[take] !== null)
  if (isFull ? toNewlines(filled) !== toNewlines(text) : !isEqual(linesOf(filled), linesOf(text)))
    return false
  if (merge(versions, 'base').text === versions.base && text !== versions[take]) return false
  const lines = linesOf(marked)
  const kept = new Set(keptByAll(versions).filter(line => lines.includes(line)))
  const moved = movedByAll(versions, kept)
  return conflicts.every(conflict => {
    const at = lines.indexOf(signs.get(conflict.block) as string)
    if (at === -1 || lines.indexOf(lines[at] as string, at + 1) !== -1) return false
    const [before, after] = [new Set(lines.slice(0, at)), new Set(lines.slice(at + 1))]
    const places = (['ours', 'theirs', 'base'] as const).map(side =>
      placesOf(linesOf(conflict[side] ?? ''), linesOf(versions[side]), kept),
    )
    // What one of them moved is there, whichever text is taken.
    const isThere = places
      .flat()
      .some(place => isWithin(place.before, before) && isWithin(place.after, after))
    const run = linesOf(conflict[take] ?? '')
    // What both sides moved out of the run is no part of it.
    const without = linesOf(versions[take]).filter(line => run.includes(line) || !moved.has(line))
    const isOfSide = conflict[take] === null || placesOf(run, without, kept).length > 0
    return isThere && isOfSide
  })
}

/** The nearest kept lines around each stretch of the lines that is the run. */
function placesOf(run: readonly string[], lines: readonly string[], kept: ReadonlySet<string>) {
  return lines.flatMap((_, from) => {
    if (run.length === 0 || !run.every((line, n) => lines[from + n] === line)) return []
    const before = lines.slice(0, from).findLast(line => kept.has(line))
    const after = lines.slice(from + run.length).find(line => kept.has(line))
    return [{ before, after }]
  })
}

const isWithin = (line: string | undefined, lines: ReadonlySet<string>): boolean =>
  line === undefined || lines.has(line)

/** Lines that each version has once, and that neither side moved. */
function keptByAll({ base, ours, theirs }: Versions): string[] {
  const before = linesOf(base)
  const kept = [ours, theirs].map(side => {
    const after = linesOf(side)
    const matched = matchSequences(before, after).map(([at]) => before[at] as string)
    return new Set(matched.filter(line => isOnce(after, line)))
  })
  return before.filter(line => isOnce(before, line) && kept.every(lines => lines.has(line)))
}

/** Lines that all versions have, but in another place. */
function movedByAll({ base, ours, theirs }: Versions, kept: ReadonlySet<string>): ReadonlySet<string> {
  const sides = [ours, theirs].map(side => new Set(linesOf(side)))
  return new Set(linesOf(base).filter(line => !kept.has(line) && sides.every(side => side.has(line))))
}

const isOnce = (lines: readonly string[], line: string): boolean => {
  const at = lines.indexOf(line)
  return at !== -1 && lines.indexOf(line, at + 1) === -1
}

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at])

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

/** What a side wrote, and what all three have once, is in the result or in a conflict. */
function losesNothing({ base, ours, theirs }: Versions, { text, conflicts }: Merged): boolean {
  const told = conflicts.flatMap(({ ours, theirs }) => linesOf(`${ours ?? ''}\n${theirs ?? ''}`))
  const after = new Set([...linesOf(text), ...told])
  const [before, ...sides] = [base, ours, theirs].map(linesOf) as [string[], string[], string[]]
  const known = new Set(before)
  const written = sides.flat().filter(line => !known.has(line))
  const kept = before.filter(line => [before, ...sides].every(lines => isOnce(lines, line)))
  return [...written, ...kept].every(line => after.has(line))
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
