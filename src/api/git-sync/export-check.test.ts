// Looking at what an export would write.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edit, liveAt } from '../../../test/support/edits.ts'
import { file, flattenPages, importWorld } from '../../../test/support/imports.ts'
import type { TestRepository } from '../../../test/support/repositories.ts'
import type { Call } from '../../../test/support/world.ts'

const w = await importWorld()

const GUIDE = () => [
  file('SUMMARY.md', '* [Home](README.md)\n* [Set up](setup.md)\n'),
  file('README.md', '# Home\n'),
  file('setup.md', '# Set up\n'),
]

const check = (space: { id: string }, repository: TestRepository, body = {}, call: Call = {}) =>
  w.call('POST', `/spaces/${space.id}/git/export/check`, {
    body: { url: w.host.urlOf(repository.name), ref: 'main', ...body },
    ...call,
  })

async function imported() {
  const space = await w.createSpace()
  const repository = await w.repository(GUIDE())
  await w.import(space, repository)
  return { space, repository }
}

async function rewrite(space: { id: string }, path: string, markdown: string): Promise<void> {
  const { pages } = await w.get(`/spaces/${space.id}/content/pages`)
  const page = flattenPages(pages).find(one => one.git?.path === path)?.id ?? ''
  await edit(w, liveAt(space.id), { operation: 'update_page', page, document: { markdown } })
}

test('what is written is what an export then writes, and nothing is written before', async () => {
  const { space, repository } = await imported()
  const tip = await repository.tip()
  await rewrite(space, 'setup.md', '# Set up\n\nNew.\n')
  const { status, body, text } = await check(space, repository)
  assert.equal(status, 200, text)
  assert.deepEqual(
    [body.ref, body.isEmpty, body.isNewBranch, body.hasNews, body.writes, body.removes, body.problems],
    [
      ...['refs/heads/main', false, false, false],
      ...[{ count: 1, paths: ['setup.md'] }, { count: 0, paths: [] }, []],
    ],
  )
  assert.equal(text.includes('ada'), false, 'no user and no password')
  assert.equal(await repository.tip(), tip)
  await w.export(space, repository)
  const diff = await repository.git(['diff', '--name-only', 'main~1', 'main'])
  assert.equal(diff.toString().trim(), 'setup.md')
  const after = await check(space, repository)
  assert.deepEqual([after.body.writes.count, after.body.removes.count], [0, 0])
})

test('an empty repository, and a branch that is not there, are said to be so', async () => {
  const { space, repository } = await imported()
  const empty = await check(space, await w.repository())
  assert.deepEqual(
    [empty.body.isEmpty, empty.body.isNewBranch, empty.body.writes.paths.toSorted()],
    [true, true, ['README.md', 'SUMMARY.md', 'setup.md']],
  )
  const other = await check(space, repository, { ref: 'next' })
  assert.deepEqual([other.body.isEmpty, other.body.isNewBranch, other.body.writes.count], [false, true, 0])
})

test('commits that the space does not have come in first, and what the space changed is written beside them', async () => {
  const { space, repository } = await imported()
  await rewrite(space, 'setup.md', '# Set up\n\nOurs.\n')
  await repository.commit({ changes: [file('README.md', '# Home\n\nTheirs.\n')] })
  const { body } = await check(space, repository)
  assert.deepEqual([body.hasNews, body.writes.paths, body.removes.count], [true, ['setup.md'], 0])
  const home = await w.get(`/spaces/${space.id}/content/path/readme?format=markdown`)
  assert.doesNotMatch(home.markdown, /Theirs/, 'nothing came in by looking')
})

test('files that the space knows nothing of prevent it and are named, unless it is forced', async () => {
  const { space } = await imported()
  const other = await w.repository([file('README.md', '# Of others\n')])
  const refused = await check(space, other)
  assert.equal(refused.status, 200)
  assert.deepEqual(
    [
      refused.body.errorCode,
      refused.body.problems.map((one: { file: string }) => one.file),
      refused.body.writes,
    ],
    ['export_conflicts', ['README.md'], { count: 0, paths: [] }],
  )
  const forced = await check(space, other, { force: true })
  assert.deepEqual([forced.body.errorCode, forced.body.writes.count], [undefined, 3])
})

test('it takes the right to export, and a repository that can be read', async () => {
  const { space, repository } = await imported()
  assert.equal((await check(space, repository, {}, { as: 'review' })).status, 403)
  assert.equal((await check(space, repository, { ref: 'refs/tags/v1' })).status, 400)
  const missing = await check(space, repository, { url: w.host.urlOf('none.git') })
  assert.deepEqual([missing.status, missing.body.error.reason], [400, 'git_repository_missing'])
})
