import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { edit, idAt, liveAt, readPage } from '../../../test/support/edits.ts'
import { file, importWorld } from '../../../test/support/imports.ts'
import { createRepository, type TestRepository } from '../../../test/support/repositories.ts'
import { originOf } from '../../../test/support/server.ts'
import { fetchHistoryLater, historiesFolder } from '../git-sync/history.ts'
import { readExportRequest } from '../git-sync/request.ts'
import { listHistories } from '../git-sync/rows.ts'
import { remotesFolder, updateRemote } from './repository.ts'

const w = await importWorld()
const folder = mkdtempSync(join(tmpdir(), 'octavo-imported-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let clones = 0

async function addressOf(space: { id: string }) {
  const url = new URL(`/git/${space.id}.git`, await originOf(w))
  url.username = w.people.admin.token
  return url
}

async function cloneOf(space: { id: string }) {
  const url = await addressOf(space)
  const clone = await createRepository(folder, `clone-${++clones}.git`)
  await clone.git(['fetch', '--quiet', url.href, '+refs/heads/*:refs/heads/*'])
  return clone
}

const say = async (repository: TestRepository, ...args: string[]) =>
  (await repository.git(args)).toString().trim()

const SUMMARY = '# Contents\n\n- [Home](README.md)\n- [More](more.md)\n'

/** A repository with three commits. */
async function repositoryOf(more: readonly (readonly [string, string])[] = []) {
  const files = [['SUMMARY.md', SUMMARY], ['README.md', '# Home\n'], ['more.md', '# More\n'], ...more]
  const repository = await w.repository(files.map(([path, content]) => file(path!, content!)))
  await repository.commit({ changes: [file('more.md', '# More\n\nOne.\n')] })
  const oid = await repository.commit({ changes: [file('more.md', '# More\n\nTwo.\n')] })
  return { repository, oid }
}

async function imported(more?: readonly (readonly [string, string])[]) {
  const { repository, oid } = await repositoryOf(more)
  const space = await w.createSpace()
  await w.import(space, repository)
  return { repository, oid, space }
}

// Where nobody commits to the repository or writes to the space, and one of which a file is left out.
const example = await imported()
const withCode = await imported([['src/main.ts', 'code']])

async function write(space: { id: string }, path: string, markdown: string) {
  const at = liveAt(space.id)
  await edit(w, at, { operation: 'update_page', page: await idAt(w, at, path), document: { markdown } })
}

const forget = (space: { id: string }) => rmSync(join(remotesFolder(w.config), space.id), { recursive: true })

test('an imported repository has its own commits in a clone, later ones too, and is the same after everything was lost', async () => {
  const { repository, oid, space } = await imported()
  const first = await cloneOf(space)
  assert.equal(await say(first, 'rev-parse', 'main'), oid, 'equal files are the commit itself')
  assert.equal(await say(first, 'rev-list', '--count', 'main'), '3')
  await first.git(['fsck', '--strict'])

  await repository.commit({ changes: [file('more.md', '# More\n\nThree.\n')] })
  const fourth = await repository.commit({ changes: [file('README.md', '# Home\n\nFour.\n')] })
  await w.import(space, repository)
  assert.equal(await say(await cloneOf(space), 'rev-parse', 'main'), fourth)

  await write(space, 'more', '# More\n\nHere.\n')
  const fifth = await repository.commit({ changes: [file('README.md', '# Home\n\nFive.\n')] })
  await w.import(space, repository)
  const both = await cloneOf(space)
  const parents = (await say(both, 'log', '-1', '--format=%P', 'main')).split(' ')
  assert.equal(parents[1], fifth, 'what came in from both sides has both as parents')
  assert.equal(await say(both, 'rev-parse', `${parents[0]}^`), fourth)
  assert.equal(await say(both, 'show', 'main:more.md'), '# More\n\nHere.')
  assert.equal(await say(both, 'show', 'main:README.md'), '# Home\n\nFive.')

  const main = await say(both, 'rev-parse', 'main')
  forget(space)
  rmSync(join(historiesFolder(w.config), space.id), { recursive: true })
  const anew = await cloneOf(space)
  assert.equal(await say(anew, 'rev-parse', 'main'), main)
  await anew.git(['fsck', '--strict'])
  const sixth = await repository.commit({ changes: [file('README.md', '# Home\n\nSix.\n')] })
  await w.import(space, repository)
  await (await cloneOf(space)).git(['merge-base', '--is-ancestor', sixth, 'main'])
})

test('a branch of the repository is pushed to the space once main is merged into it', async () => {
  const { space } = await imported()
  await write(space, 'more', '# More\n\nHere.\n')
  const clone = await cloneOf(space)
  const first = await say(clone, 'rev-list', '--max-parents=0', 'main')
  const ref = 'refs/heads/topic'
  await clone.git(['update-ref', ref, first])
  await clone.commit({ ref, changes: [file('README.md', '# Home\n\nTopic.\n')] })
  const push = async () => say(clone, 'push', '--quiet', (await addressOf(space)).href, 'topic')
  await assert.rejects(push(), /no revision of the space in it: fetch, and rebase it onto main/)
  const tree = await say(clone, 'merge-tree', '--write-tree', ref, 'main')
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  const merge = await say(clone, ...who, 'commit-tree', tree, '-m', 'Merge', '-p', ref, '-p', 'main')
  await clone.git(['update-ref', ref, merge])
  await push()
  const at = { ...liveAt(space.id), path: `/spaces/${space.id}/change-requests/1` }
  const textOf = async (path: string) => (await readPage(w, at, await idAt(w, at, path))).markdown
  assert.equal(await textOf('readme'), '# Home\n\nTopic.\n')
  assert.equal(await textOf('more'), '# More\n\nHere.\n')
  assert.equal(await say(await cloneOf(space), 'rev-parse', 'topic'), merge)
})

test('where an import leaves files out, its commit is on top of that of the repository and has none of them', async () => {
  const { oid, space } = withCode
  const clone = await cloneOf(space)
  assert.equal(await say(clone, 'log', '-1', '--format=%P', 'main'), oid)
  assert.equal(await say(clone, 'diff', '--name-status', `${oid}`, 'main'), 'D\tsrc/main.ts')
  await clone.git(['fsck', '--strict'])
  const main = await say(clone, 'rev-parse', 'main')
  forget(space)
  assert.equal(await say(await cloneOf(space), 'rev-parse', 'main'), main)
})

test('processes that make the commits of a space at the same moment make the same', async () => {
  const { space } = withCode
  await write(space, 'more', '# More\n\nHere.\n')
  const tips = await Promise.all(
    ['one', 'other'].map(async name => {
      const config = { ...w.config, home: join(folder, name) }
      const { branches } = await updateRemote({ ...w.services, config }, space.id)
      return branches.map(({ oid }) => oid)
    }),
  )
  assert.deepEqual(tips[0], tips[1])
})

test('clones that wait for a history leave the places to others', async () => {
  const { space, oid } = example
  const other = await w.createSpace()
  const write = (change: { blob_hash: Buffer | null }) =>
    w.services.db.updateTable('git_histories').set(change).where('space_id', '=', space.id).execute()
  const [kept] = await listHistories(w.services.db, space.id)
  await write({ blob_hash: null })
  const waiting = Promise.all(Array.from({ length: 4 }, () => cloneOf(space)))
  const isThere = await Promise.race([waiting, cloneOf(other).then(() => false)])
  assert.equal(isThere, false)
  await write({ blob_hash: kept!.blob_hash })
  for (const clone of await waiting) assert.equal(await say(clone, 'rev-parse', 'main'), oid)
})

test('what was fetched of histories has a bound on the disk, and clones have the history all the same', async () => {
  const { repository, oid, space } = example
  const cache = join(historiesFolder(w.config), space.id)
  assert.ok(existsSync(cache))
  const asked = readExportRequest({ url: w.host.urlOf(repository.name), ref: 'main', commitMessage: '' })
  const services = { ...w.services, config: { ...w.config, remotesBytesMax: 0 } }
  await fetchHistoryLater(services, space.id, asked, oid)
  assert.ok(!existsSync(cache))
  assert.equal(await say(await cloneOf(space), 'rev-list', '--count', 'main'), '3')
})

test('a space that has a history keeps it when a repository is imported into it', async () => {
  const { repository, oid } = example
  const space = await w.createSpace()
  const at = liveAt(space.id)
  await edit(w, at, { operation: 'insert_page', title: 'Own', document: { markdown: '# Own\n' } })
  const before = await say(await cloneOf(space), 'rev-parse', 'main')
  await w.import(space, repository)
  const clone = await cloneOf(space)
  assert.equal(await say(clone, 'log', '-1', '--format=%P', 'main'), `${before} ${oid}`)
})

test('who cloned before there was a history has the same commits afterwards, and who imports a directory shows no other', async () => {
  const { repository, oid } = await repositoryOf([['docs/README.md', '# Docs\n']])
  const part = await w.createSpace()
  await w.import(part, repository, { repoProjectDirectory: 'docs' })
  assert.equal(await say(await cloneOf(part), 'rev-list', '--count', 'main'), '2')
  await assert.rejects((await cloneOf(part)).git(['cat-file', '-e', oid]))

  const configured = await w.createSpace()
  const beside = await w.repository([
    file('.gitbook.yaml', 'root: docs\n'),
    file('docs/README.md', '# Docs\n'),
  ])
  const head = await beside.commit({ changes: [file('secret.txt', 'code')] })
  await w.import(configured, beside)
  await assert.rejects((await cloneOf(configured)).git(['cat-file', '-e', head]), 'its .gitbook.yaml says so')

  const space = await w.createSpace()
  await w.import(space, repository)
  await w.services.db
    .updateTable('git_histories')
    .set({ blob_hash: null, left_out: 'git_too_large' })
    .where('space_id', '=', space.id)
    .execute()
  const early = await say(await cloneOf(space), 'rev-parse', 'main')
  await repository.commit({ changes: [file('README.md', '# Home\n\nLater.\n')] })
  await w.import(space, repository)
  const rows = await w.services.db
    .selectFrom('git_histories')
    .select('left_out')
    .where('space_id', '=', space.id)
    .execute()
  assert.deepEqual(rows, [{ left_out: 'git_too_large' }, { left_out: 'git_too_large' }], 'not tried again')
  assert.ok(!existsSync(join(historiesFolder(w.config), space.id)), 'and takes no room')
  assert.equal(await say(await cloneOf(space), 'rev-parse', 'main^'), early)
})

// The last one, since equal histories are one blob.
test('where a part of the history is lost, what is left is whole', async () => {
  const { repository, space } = await imported()
  await cloneOf(space)
  await repository.commit({ changes: [file('README.md', '# Home\n\nFour.\n')] })
  await w.import(space, repository)
  await cloneOf(space)
  const { blob_hash } = await w.services.db
    .selectFrom('git_histories')
    .select('blob_hash')
    .where('space_id', '=', space.id)
    .orderBy('created_at')
    .executeTakeFirstOrThrow()
  await w.services.blobs.remove(blob_hash!.toString('hex'), new AbortController().signal)
  forget(space)
  const clone = await cloneOf(space)
  assert.equal(await say(clone, 'show', 'main:README.md'), '# Home\n\nFour.')
  await clone.git(['fsck', '--strict'])
})
