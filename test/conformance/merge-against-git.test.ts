// The command that replays the merges of a history, over a repository made here: one merge of every kind.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Change, createRepository } from '../support/repositories.ts'
import { readFileMerges } from './git-merges/history.ts'
import { kindOf } from './git-merges/kinds.ts'
import { brokenLaws } from './git-merges/laws.ts'
import { Git, type Merge, mergeByOctavo } from './git-merges/mergers.ts'
import { listFaults, toReport } from './git-merges/report.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-history-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const RAIN = 'Rain falls on the quiet town in the evening.'
const SUN = 'Sunlight warms every stone along the river bank.'
const WIND = 'Wind carries old leaves across an empty square.'
const FOG = 'Fog hides the harbour until somebody rings the bell.'
const page = (...parts: readonly string[]): string => `${parts.join('\n\n')}\n`
const whole = page('# Weather', RAIN, SUN, WIND)

const FILES: Readonly<Record<string, readonly [base: string, ours: string, theirs: string]>> = {
  'apart.md': [whole, whole.replace('Rain', 'Ours'), whole.replace('Wind', 'Theirs')],
  'replaced.md': [whole, whole.replace(SUN, FOG), whole.replace(SUN, 'No word of it is left.')],
  'edited.md': [whole, whole.replace(SUN, `${SUN} Ours.`), whole.replace(SUN, FOG)],
  'alike.md': [whole, `${whole}\nThe new port is 4000.\n`, `${whole}\nThe new port is 5000.\n`],
  'unlike.md': [whole, `${whole}\nSnow covers mountains.\n`, `${whole}\n${FOG}\n`],
  'twice.md': [whole, `${whole}\n${FOG}\n`, `${whole}\n${FOG}\n\nAnd then some more.\n`],
  'neighbours.md': [
    whole,
    page('# Weather', RAIN, WIND),
    page('# Weather', RAIN, SUN, 'Written behind it.', WIND),
  ],
  'moved.md': [whole, page('# Weather', WIND, RAIN, SUN), whole.replace(WIND, `${WIND} Theirs.`)],
  'ended.md': [whole.slice(0, -1), whole, whole.slice(0, -1).replace('leaves', 'papers')],
}

const version = (side: 0 | 1 | 2): Change[] =>
  Object.entries(FILES).map(([path, versions]) => ({ path, content: versions[side] }))

test('a history is replayed beside git: what git alone stops at has a kind, and no replacement is passed over', async () => {
  const repository = await createRepository(folder)
  const base = await repository.commit({ changes: version(0) })
  const [theirs] = await repository.commits([
    { ref: 'refs/heads/theirs', onto: base, changes: version(2) },
    { changes: version(1) },
  ])
  await repository.commit({ merged: [theirs!], changes: [] })
  const { counts, examples } = await toReport(readFileMerges(repository.directory), { examplesMax: 9 })
  const files = (name: string): string[] => (examples.get(name) ?? []).map(({ path }) => path).sort()
  assert.deepEqual(counts.laws, { broken: 0, byName: {} })
  assert.equal(counts.files, 9)
  assert.equal(counts.bothCleanAndEqual, 1)
  assert.equal(counts.bothConflict, 3)
  assert.equal(counts.onlyGitConflicts, 5)
  assert.equal(counts.onlyOctavoConflicts, 0)
  assert.deepEqual(files('unlike insertions'), ['unlike.md'])
  assert.deepEqual(files('the same change made twice'), ['twice.md'])
  assert.deepEqual(files('neighbouring paragraphs'), ['neighbours.md'])
  assert.deepEqual(files('a section moved and edited'), ['moved.md'])
  assert.deepEqual(files('white space'), ['ended.md'])
  assert.equal(counts.onlyGit['replacement against replacement'], 0)
  assert.deepEqual(listFaults(counts), [])
})

const conflicting = {
  base: whole,
  ours: whole.replace(SUN, FOG),
  theirs: whole.replace(SUN, 'Nothing of it.'),
}

for (const [name, change] of [
  ['is written twice', text => text.replace(FOG, `${FOG}\n\n${FOG}`)],
  ['is elsewhere', text => page('# Weather', FOG, RAIN, WIND).replace(FOG, text.includes(FOG) ? FOG : SUN)],
  ['has something of the other side behind it', text => text.replace(FOG, `${FOG}\n\nNothing of it.`)],
  ['is there in part', text => text.replace(FOG, FOG.slice(0, -20))],
] satisfies [string, (text: string) => string][]) {
  test(`a merge breaks a law where the side that is taken ${name}`, () => {
    const merge: Merge = (versions, take) => {
      const { text, conflicts } = mergeByOctavo(versions, take)
      return { text: conflicts.length > 0 && take === 'ours' ? change(text) : text, conflicts }
    }
    const git = new Git()
    assert.deepEqual(brokenLaws(mergeByOctavo, conflicting, git, []), [])
    assert.deepEqual(brokenLaws(merge, conflicting, git, []), ['taking ours gives its run'])
    git.close()
  })
}

test('every run that is taken is where its side has it, whatever else was merged', () => {
  const moved: Merge = (versions, take) => {
    const { text, conflicts } = mergeByOctavo(versions, take)
    if (conflicts.length === 0) return { text, conflicts }
    const [title, first, run, ...rest] = text.split('\n\n')
    return { text: [title, run, first, ...rest].join('\n\n'), conflicts }
  }
  const versions = { ...conflicting, theirs: conflicting.theirs.replace('Wind', 'Storm') }
  const git = new Git()
  assert.deepEqual(brokenLaws(mergeByOctavo, versions, git, []), [])
  assert.deepEqual(
    brokenLaws(moved, versions, git, []),
    ['ours', 'theirs', 'base'].map(side => `taking ${side} gives its run`),
  )
  git.close()
})

test('a conflict is of a kind only where it is just that', () => {
  const kind = (base: string[], ours: string[], theirs: string[], around: readonly string[] = []) => {
    const [before, a, b] = [base, ours, theirs].map(lines => [...around, ...lines].join('\n')) as [
      string,
      string,
      string,
    ]
    return kindOf({ base, ours, theirs }, { base: before, ours: a, theirs: b })
  }
  assert.equal(kind([SUN], [FOG], ['Nothing of it.']), 'replacement against replacement')
  // The same text occurs elsewhere, and nobody moved it.
  assert.equal(kind([SUN], [FOG], ['Nothing of it.'], [SUN]), 'replacement against replacement')
  assert.equal(kind([SUN, RAIN], [RAIN, SUN], [`${SUN} And more.`, RAIN]), 'a section moved and edited')
  assert.equal(kind([SUN], [], [`${SUN} And more.`]), undefined)
  assert.equal(kind([SUN, RAIN], [RAIN], [FOG, RAIN]), 'the same change made twice')
})

test('the command fails for each thing that must not be', async () => {
  const { counts } = await toReport((async function* () {})())
  assert.deepEqual(listFaults(counts), [])
  const faults = (fault: Partial<typeof counts>) => listFaults({ ...counts, files: 1_000, ...fault }).length
  assert.equal(faults({ onlyOctavoConflicts: 2 }), 0)
  assert.equal(faults({ onlyOctavoConflicts: 3 }), 1)
  assert.equal(faults({ unnamed: 1 }), 1)
  assert.equal(faults({ onlyGit: { ...counts.onlyGit, 'replacement against replacement': 1 } }), 1)
  assert.equal(faults({ laws: { broken: 1, byName: { 'loses no line': 1 } } }), 1)
})

test('what both sides moved out of a run is no part of what taking the run gives', () => {
  const [first, last] = ['Alpha goes first of them all.', 'Beta follows in its own time.']
  const versions = {
    base: page(RAIN, first, WIND, last, SUN),
    ours: page(RAIN, 'Ours says something else.', SUN, WIND),
    theirs: page(RAIN, 'Theirs differs in each of its words.', SUN, WIND),
  }
  const [conflict] = mergeByOctavo(versions).conflicts
  assert.equal(conflict?.base, `${first}\n\n${last}`)
  const files = new Git()
  try {
    assert.deepEqual(brokenLaws(mergeByOctavo, versions, files, []), [])
  } finally {
    files.close()
  }
})
