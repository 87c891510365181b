// What both sides renamed through repositories: one conflict for each, and what refers to it follows the outcome.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { file, importWorld } from '../../../test/support/imports.ts'
import { type Change, createRepository, type TestRepository } from '../../../test/support/repositories.ts'
import { originOf } from '../../../test/support/server.ts'
import { findSpace } from '../spaces/rows.ts'

const skip =
  process.env.OCTAVO_TEST_DATABASE !== undefined &&
  'which name counts is decided the same way on every engine; pushes, updates and imports run on each'

const w = await importWorld()
const folder = mkdtempSync(join(tmpdir(), 'octavo-renames-'))
after(() => rmSync(folder, { recursive: true, force: true }))

type Names = { title?: string; guide?: string; asset?: string; include?: string }

// Of pages that change with their path, only those that stay alike are the same page.
const PROSE = Array.from({ length: 10 }, (_, at) => `Sentence ${at} of what the page says.`).join('\n')
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"><title>A picture</title></svg>\n'

const filesOf = ({ title = 'Guide', guide = 'guide', asset = 'picture', include = 'note' }: Names = {}) =>
  new Map([
    [
      'SUMMARY.md',
      `# Contents\n\nA word about it.\n\n* [Start](README.md)\n* [${title}](${guide}.md)\n* [End](end.md)\n`,
    ],
    [
      'README.md',
      `# Start\n\n![](.gitbook/assets/${asset}.svg)\n\n{% include ".gitbook/includes/${include}.md" %}\n\nSee [it](${guide}.md).\n`,
    ],
    [
      `${guide}.md`,
      `# ${title}\n\nWords that say a lot, and go on.\n\n${PROSE}\n\nBack to [the start](${guide.includes('/') ? '../' : ''}README.md).\n`,
    ],
    ['end.md', '# End\n'],
    [`.gitbook/assets/${asset}.svg`, PICTURE],
    [`.gitbook/includes/${include}.md`, 'A note without a heading.\n'],
  ])

/** What turns the files of some names into those of others. */
function renaming(names: Names): Change[] {
  const [before, after] = [filesOf(), filesOf(names)]
  return [
    ...[...before.keys()].flatMap(path => (after.has(path) ? [] : [{ path, removed: true } as const])),
    ...[...after].flatMap(([path, text]) => (before.get(path) === text ? [] : [file(path, text)])),
  ]
}

let clones = 0
type Clone = TestRepository & { push(branch: string): Promise<void>; fetch(): Promise<void> }

async function cloneOf(spaceId: string): Promise<Clone> {
  const url = new URL(`/git/${spaceId}.git`, await originOf(w))
  url.username = w.people.admin.token
  const clone = await createRepository(folder, `clone-${++clones}.git`)
  const fetch = async () => {
    await clone.git(['fetch', '--quiet', url.href, '+refs/heads/*:refs/heads/*'])
  }
  await fetch()
  const push = async (branch: string) => {
    await clone.git(['push', '--quiet', url.href, branch])
  }
  return { ...clone, push, fetch }
}

/** A space imported from a repository, and a clone of it with a branch that has other names. */
async function connected(theirs: Names) {
  const space = await w.createSpace()
  const repository = await w.repository([...filesOf()].map(([path, text]) => file(path, text)))
  assert.equal((await w.import(space, repository)).state, 'success')
  const clone = await cloneOf(space.id)
  await clone.commit({ ref: 'refs/heads/theirs', onto: await clone.tip(), changes: renaming(theirs) })
  await clone.push('theirs')
  return { space, repository, clone, path: `/spaces/${space.id}/change-requests/1` }
}

/** The files of a branch, as a fetch brings them. */
async function fetched(clone: Clone, branch: string): Promise<Map<string, string>> {
  await clone.fetch()
  const names = (await clone.git(['ls-tree', '-rz', '--name-only', branch]))
    .toString()
    .split('\0')
    .slice(0, -1)
  // One process for all of them: each answer is a line that ends with a size, so many bytes, and the end of a line.
  const answers = await clone.git(['cat-file', '--batch'], names.map(name => `${branch}:${name}\n`).join(''))
  let at = 0
  return new Map(
    names.map(name => {
      const start = answers.indexOf('\n', at) + 1
      const end = start + Number(answers.toString('latin1', at, start).split(' ')[2])
      at = end + 1
      return [name, answers.toString('utf8', start, end)]
    }),
  )
}

const sorted = (files: ReadonlyMap<string, string>) => Object.fromEntries([...files].sort())

const KINDS = [
  ['page', 'title', { title: 'Manual', guide: 'manual' }, { title: 'Handbook', guide: 'handbook' }],
  [
    'page that moves to another folder',
    'title',
    { title: 'One', guide: 'one/one' },
    { title: 'Two', guide: 'two/two' },
  ],
  ['file', 'name', { asset: 'ours' }, { asset: 'theirs' }],
  ['reusable content', 'title', { include: 'ours' }, { include: 'theirs' }],
] as const

for (const [at, [kind, field, ours, theirs]] of KINDS.entries())
  for (const take of at === 0 ? (['ours', 'theirs', 'base'] as const) : (['ours'] as const))
    test(`a ${kind} that both pushed under another name is one conflict, and its references are those of ${take}`, {
      skip,
    }, async () => {
      const { clone, path } = await connected(theirs)
      await clone.commit({ changes: renaming(ours) })
      await clone.push('main')
      const { conflicts } = (await w.call('POST', `${path}/merge`)).body
      assert.deepEqual(
        conflicts.map((conflict: { field: string }) => conflict.field),
        [field],
      )
      const { body } = await w.call('POST', `${path}/merge`, {
        body: { resolutions: [{ ...conflicts[0], take }] },
      })
      assert.equal(body.result, 'merge', JSON.stringify(body))
      const names = { ours, theirs, base: {} }[take]
      assert.deepEqual(sorted(await fetched(clone, 'main')), sorted(filesOf(names)))
    })

for (const [kind, , ours, theirs] of KINDS)
  test(`an update asks once about a ${kind} that both renamed, and brings what the space has of it`, {
    skip,
  }, async () => {
    const { clone, path } = await connected(theirs)
    await clone.commit({ changes: renaming(ours) })
    await clone.push('main')
    const { conflicts } = (await w.call('POST', `${path}/update`)).body
    assert.equal(conflicts.length, 1)
    const { body } = await w.call('POST', `${path}/update`, {
      body: { resolutions: [{ ...conflicts[0], take: 'theirs' }] },
    })
    assert.equal(body.result, 'update', JSON.stringify(body))
    assert.deepEqual(sorted(await fetched(clone, 'theirs')), sorted(filesOf(ours)))
  })

for (const [kind, , ours, theirs] of KINDS)
  test(`an import names a ${kind} that both renamed, and with force takes the names of the repository`, {
    skip,
  }, async () => {
    const { space, repository, clone } = await connected(theirs)
    await clone.commit({ changes: renaming(ours) })
    await clone.push('main')
    await repository.commit({ changes: renaming(theirs) })
    const refused = await w.import(space, repository)
    assert.equal(refused.errorCode, 'import_conflicts')
    assert.match(refused.error, /both changed "[^"]*"\. Nothing/)
    assert.equal((await w.import(space, repository, { force: true })).state, 'success')
    assert.deepEqual(sorted(await fetched(clone, 'main')), sorted(filesOf(theirs)))
  })

for (const [kind, , ours, theirs] of KINDS)
  test(`a pushed commit that merges both names of a ${kind} has the names that it says`, {
    skip,
  }, async () => {
    const { space, clone } = await connected(theirs)
    const before = await idsOf(space.id)
    const onto = await clone.commit({ changes: renaming(ours) })
    await clone.push('main')
    const [mine, other] = [filesOf(ours), filesOf(theirs)]
    await clone.commit({
      onto,
      merged: [await clone.tip('refs/heads/theirs')],
      changes: [
        ...[...mine.keys()].flatMap(name =>
          other.has(name) ? [] : [{ path: name, removed: true } as const],
        ),
        ...[...other].map(([name, text]) => file(name, text)),
      ],
    })
    await clone.push('main')
    assert.deepEqual(await idsOf(space.id), before)
    assert.deepEqual(sorted(await fetched(clone, 'main')), sorted(other))
  })

for (const take of ['ours', 'theirs', { value: 'Companion: two' }] as const)
  test(`SUMMARY.md keeps its words and has the title that was chosen where one side renamed a page here and the other pushed it: ${JSON.stringify(take)}`, {
    skip,
  }, async () => {
    const theirs = { title: 'Handbook', guide: 'handbook' }
    const { space, clone, path } = await connected(theirs)
    const { pages } = (await w.call('GET', `/spaces/${space.id}/content/pages`)).body
    const page = pages.find(({ title }: { title: string }) => title === 'Guide').id
    const changes = [{ operation: 'update_page', page, title: 'Manual' }]
    assert.equal((await w.call('POST', `/spaces/${space.id}/content`, { body: { changes } })).status, 200)
    const { conflicts } = (await w.call('POST', `${path}/merge`)).body
    assert.equal(conflicts.length, 1, JSON.stringify(conflicts))
    const { body } = await w.call('POST', `${path}/merge`, {
      body: { resolutions: [{ ...conflicts[0], take }] },
    })
    assert.equal(body.result, 'merge', JSON.stringify(body))
    const title = take === 'ours' ? 'Manual' : take === 'theirs' ? 'Handbook' : take.value
    const files = await fetched(clone, 'main')
    assert.match(files.get('SUMMARY.md') ?? '', /A word about it/)
    assert.ok(files.get('SUMMARY.md')?.includes(`* [${title}](`), files.get('SUMMARY.md'))
  })

test('two branches that list another page each at one place of SUMMARY.md merge, and it keeps the words of both', {
  skip,
}, async () => {
  const space = await w.createSpace()
  await w.import(space, await w.repository([...filesOf()].map(([path, text]) => file(path, text))))
  const clone = await cloneOf(space.id)
  const onto = await clone.tip()
  const summary = filesOf().get('SUMMARY.md') ?? ''
  for (const [at, name] of ['one', 'two'].entries()) {
    const listed = `${at === 0 ? summary : summary.replace('A word', 'Some words')}* [${name}](${name}.md)\n`
    const changes = [file('SUMMARY.md', listed), file(`${name}.md`, `# ${name}\n`)]
    await clone.commit({ ref: `refs/heads/${name}`, onto, changes })
    await clone.push(name)
  }
  for (const number of [1, 2]) {
    const { body } = await w.call('POST', `/spaces/${space.id}/change-requests/${number}/merge`)
    assert.equal(body.result, 'merge', JSON.stringify(body))
  }
  const files = await fetched(clone, 'main')
  // New pages at one place are in the order of their ids.
  const linesOf = (text = '') => text.split('\n').sort()
  assert.deepEqual(
    linesOf(files.get('SUMMARY.md')),
    linesOf(`${summary.replace('A word', 'Some words')}* [one](one.md)\n* [two](two.md)\n`),
  )
})

test('words of SUMMARY.md that both sides changed are a conflict', { skip }, async () => {
  const summary = filesOf().get('SUMMARY.md') ?? ''
  const { clone, path } = await connected({})
  for (const [branch, word] of [
    ['theirs', 'Their word'],
    ['main', 'Our word'],
  ] as const) {
    await clone.commit({
      ref: `refs/heads/${branch}`,
      changes: [file('SUMMARY.md', summary.replace('A word', word))],
    })
    await clone.push(branch)
  }
  const { conflicts } = (await w.call('POST', `${path}/merge`)).body
  assert.deepEqual(
    conflicts.map(({ key, field }: Record<string, string>) => [key, field]),
    [['git/summary', 'document']],
  )
})

/** The ids of everything with a path, whatever its names. */
async function idsOf(spaceId: string): Promise<string[]> {
  const space = await findSpace(w.services.db, spaceId)
  assert.ok(space)
  const { pages, files, reusables } = await w.services.contents.get(space.root_hash.toString('hex'))
  return [...pages.keys(), ...files.keys(), ...reusables.keys()].sort()
}
