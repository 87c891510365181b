import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { edit, idAt, liveAt, readPage } from '../../../test/support/edits.ts'
import { file, importWorld } from '../../../test/support/imports.ts'
import { createRepository, gitIn, type TestRepository } from '../../../test/support/repositories.ts'
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

/** The commits of the space as a clone would have them, read where the server keeps them. */
async function remoteOf(space: { id: string }) {
  const { directory, branches } = await updateRemote(w.services, space.id)
  const say = async (...args: string[]) => (await gitIn(directory, args)).toString().trim()
  const tip = (name = 'main') => branches.find(branch => branch.name === name)?.oid
  /** Newest first, each with its parents. */
  const log = async () =>
    (await say('log', '--format=%H %P', tip()!)).split('\n').map(line => line.trim().split(' '))
  return { say, tip, log }
}

const say = async (repository: TestRepository, ...args: string[]) =>
  (await repository.git(args)).toString().trim()

const SUMMARY = '# Contents\n\n- [Home](README.md)\n- [More](more.md)\n'

/** A repository with three commits. */
async function repositoryOf(more: readonly (readonly [string, string])[] = []) {
  const files = [['SUMMARY.md', SUMMARY], ['README.md', '# Home\n'], ['more.md', '# More\n'], ...more]
  const repository = await w.repository(
    files.map(([path, content]) => file(path!, content!)),
    [file('more.md', '# More\n\nOne.\n')],
    [file('more.md', '# More\n\nTwo.\n')],
  )
  return { repository, oid: await repository.tip() }
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
  assert.equal(await first.tip(), oid, 'equal files are the commit itself')
  assert.equal(await say(first, 'rev-list', '--count', 'main'), '3')
  await first.git(['fsck', '--strict'])

  const [, fourth] = await repository.commits([
    { changes: [file('more.md', '# More\n\nThree.\n')] },
    { changes: [file('README.md', '# Home\n\nFour.\n')] },
  ])
  await w.import(space, repository)
  assert.equal((await remoteOf(space)).tip(), fourth)

  await write(space, 'more', '# More\n\nHere.\n')
  const fifth = await repository.commit({ changes: [file('README.md', '# Home\n\nFive.\n')] })
  await w.import(space, repository)
  const both = await remoteOf(space)
  const parentsOf = new Map((await both.log()).map(([commit, ...parents]) => [commit, parents]))
  const [ours, theirs] = parentsOf.get(both.tip()!) ?? []
  assert.equal(theirs, fifth, 'what came in from both sides has both as parents')
  assert.deepEqual(parentsOf.get(ours), [fourth])
  assert.equal(await both.say('show', 'main:more.md', 'main:README.md'), '# More\n\nHere.\n# Home\n\nFive.')

  forget(space)
  rmSync(join(historiesFolder(w.config), space.id), { recursive: true })
  const anew = await cloneOf(space)
  assert.equal(await anew.tip(), both.tip())
  await anew.git(['fsck', '--strict'])
  const sixth = await repository.commit({ changes: [file('README.md', '# Home\n\nSix.\n')] })
  await w.import(space, repository)
  await (await remoteOf(space)).say('merge-base', '--is-ancestor', sixth, 'main')
})

test('a branch of the repository is pushed to the space once main is merged into it', async () => {
  const { space } = await imported()
  await write(space, 'more', '# More\n\nHere.\n')
  const clone = await cloneOf(space)
  const first = await say(clone, 'rev-list', '--max-parents=0', 'main')
  const ref = 'refs/heads/topic'
  await clone.commit({ ref, onto: first, changes: [file('README.md', '# Home\n\nTopic.\n')] })
  const push = async () => say(clone, 'push', '--quiet', (await addressOf(space)).href, 'topic')
  await assert.rejects(push(), /no revision of the space in it: fetch, and rebase it onto main/)
  const merge = await clone.commit({
    ...{ ref, merged: [await clone.tip()] },
    changes: [file('more.md', '# More\n\nHere.\n')],
  })
  await push()
  const at = { ...liveAt(space.id), path: `/spaces/${space.id}/change-requests/1` }
  const textOf = async (path: string) => (await readPage(w, at, await idAt(w, at, path))).markdown
  assert.equal(await textOf('readme'), '# Home\n\nTopic.\n')
  assert.equal(await textOf('more'), '# More\n\nHere.\n')
  assert.equal((await remoteOf(space)).tip('topic'), merge)
})

test('where an import leaves files out, its commit is on top of that of the repository and has none of them', async () => {
  const { oid, space } = withCode
  const remote = await remoteOf(space)
  const last = await remote.say('log', '-1', '--format=%P', '--name-status', 'main')
  assert.equal(last, `${oid}\n\nD\tsrc/main.ts`)
  await remote.say('fsck', '--strict')
  forget(space)
  assert.equal((await remoteOf(space)).tip(), remote.tip())
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

test('clones that wait for a history do not block others', async () => {
  const { space, oid } = example
  const other = await w.createSpace()
  const write = (change: { blob_hash: Buffer | null }) =>
    w.services.db.updateTable('git_histories').set(change).where('space_id', '=', space.id).execute()
  // What a clone asks first, in the version of the protocol that answers it with the refs.
  const ask = ({ id }: { id: string }) =>
    w.app.inject({
      url: `/git/${id}.git/info/refs?service=git-upload-pack`,
      headers: { authorization: `Bearer ${w.people.admin.token}` },
    })
  const [kept] = await listHistories(w.services.db, space.id)
  await write({ blob_hash: null })
  const waiting = Promise.all(Array.from({ length: 4 }, () => ask(space)))
  const others = await Promise.race([waiting, ask(other)])
  assert.ok(!Array.isArray(others), 'nobody has an answer before the history is there')
  assert.equal(others.statusCode, 200)
  await write({ blob_hash: kept!.blob_hash })
  for (const { statusCode, payload } of await waiting) {
    assert.equal(statusCode, 200)
    assert.match(payload, new RegExp(`${oid} refs/heads/main\n`))
  }
})

test('what was fetched of histories has a bound on the disk, and clones have the history all the same', async () => {
  const { repository, oid, space } = example
  const cache = join(historiesFolder(w.config), space.id)
  assert.ok(existsSync(cache))
  const asked = readExportRequest({ url: w.host.urlOf(repository.name), ref: 'main', commitMessage: '' })
  const services = { ...w.services, config: { ...w.config, remotesBytesMax: 0 } }
  await fetchHistoryLater(services, space.id, asked, oid)
  assert.ok(!existsSync(cache))
  forget(space)
  assert.equal((await (await remoteOf(space)).log()).length, 3)
})

test('a space that has a history keeps it when a repository is imported into it', async () => {
  const { repository, oid } = example
  const space = await w.createSpace()
  const at = liveAt(space.id)
  await edit(w, at, { operation: 'insert_page', title: 'Own', document: { markdown: '# Own\n' } })
  const before = (await remoteOf(space)).tip()
  await w.import(space, repository, { force: true })
  const [[, ...parents] = []] = await (await remoteOf(space)).log()
  assert.deepEqual(parents, [before, oid])
})

test('clones made before the history was fetched keep their commits, and an imported directory has no history', async () => {
  const { repository, oid } = await repositoryOf([['docs/README.md', '# Docs\n']])
  const part = await w.createSpace()
  await w.import(part, repository, { repoProjectDirectory: 'docs' })
  const remote = await remoteOf(part)
  assert.equal((await remote.log()).length, 2)
  await assert.rejects(remote.say('cat-file', '-e', oid))

  const configured = await w.createSpace()
  const beside = await w.repository(
    [file('.gitbook.yaml', 'root: docs\n'), file('docs/README.md', '# Docs\n')],
    [file('secret.txt', 'code')],
  )
  await w.import(configured, beside)
  const isShown = (await remoteOf(configured)).say('cat-file', '-e', await beside.tip())
  await assert.rejects(isShown, 'its .gitbook.yaml says so')

  const space = await w.createSpace()
  await w.import(space, repository)
  await w.services.db
    .updateTable('git_histories')
    .set({ blob_hash: null, left_out: 'git_too_large' })
    .where('space_id', '=', space.id)
    .execute()
  const early = (await remoteOf(space)).tip()
  await repository.commit({ changes: [file('README.md', '# Home\n\nLater.\n')] })
  await w.import(space, repository)
  const rows = await w.services.db
    .selectFrom('git_histories')
    .select('left_out')
    .where('space_id', '=', space.id)
    .execute()
  assert.deepEqual(rows, [{ left_out: 'git_too_large' }, { left_out: 'git_too_large' }], 'not tried again')
  assert.ok(!existsSync(join(historiesFolder(w.config), space.id)), 'and takes no room')
  const [[, parent] = []] = await (await remoteOf(space)).log()
  assert.equal(parent, early)
})

// The last one, since equal histories are one blob.
test('where a part of the history is lost, what is left is whole', async () => {
  const { repository, space } = await imported()
  await remoteOf(space)
  await repository.commit({ changes: [file('README.md', '# Home\n\nFour.\n')] })
  await w.import(space, repository)
  await remoteOf(space)
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
