// What happens to an import that does not go its way: interrupted, overtaken, or without a repository at all.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { file, importWorld } from '../../../test/support/imports.ts'
import type { Failure } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { headMoved } from '../heads/overtaken.ts'
import { publish } from '../heads/publish.ts'
import { findSpace } from '../spaces/rows.ts'
import { importFolder, importRepository } from './import.ts'
import { removeLostRepositories } from './jobs.ts'
import { markInterrupted } from './operation.ts'
import { beginHistory, insertOperation, listHistories } from './rows.ts'

const world = await importWorld()
const { services } = world
const folder = mkdtempSync(join(tmpdir(), 'octavo-folder-'))
mkdirSync(join(folder, 'guides'))
writeFileSync(join(folder, 'README.md'), '# Home\n')
writeFileSync(join(folder, 'guides', 'a.md'), '# A\n')
after(() => rmSync(folder, { recursive: true, force: true }))

const isFailure = (code: string) => (error: Failure) => error.code === code
const lastOperation = async (space: { id: string }) =>
  (await world.get(`/spaces/${space.id}/git/operations`)).items[0]

test('a folder comes in like a repository, without a commit or a link', async () => {
  const space = await world.createSpace()
  const stages: string[] = []
  const outcome = await importFolder(services, {
    spaceId: space.id,
    folder,
    createdBy: null,
    onProgress: ({ stage }) => void stages.push(stage),
  })
  assert.deepEqual([outcome.pages, outcome.files, outcome.isChanged, outcome.commit], [3, 0, true, undefined])
  assert.deepEqual([...new Set(stages)], ['config_check', 'content_process', 'finalize'])
  assert.deepEqual(await world.tree(space), [
    'document readme | Home',
    'document guides | Guides',
    '  document guides/a | A',
  ])
  assert.equal((await world.call('GET', `/spaces/${space.id}/git/info`)).status, 404)
  const again = await importFolder(services, { spaceId: space.id, folder, createdBy: null })
  assert.deepEqual([again.isChanged, again.revisionId], [false, outcome.revisionId])
  assert.ok(!JSON.stringify(await lastOperation(space)).includes(folder))
})

test('a folder that is not there is a failure that says so', async () => {
  const space = await world.createSpace()
  await assert.rejects(
    importFolder(services, { spaceId: space.id, folder: join(folder, 'none'), createdBy: null }),
    isFailure('directory_missing'),
  )
  assert.deepEqual((await lastOperation(space)).errorCode, 'directory_missing')
})

test('an import that is aborted while the host hangs is interrupted, and the space untouched', async () => {
  const space = await world.createSpace()
  const repository = await world.repository([file('README.md', '# Hello')])
  world.host.misbehave({ kind: 'hang' })
  try {
    const signal = AbortSignal.timeout(300)
    const url = world.host.urlOf(repository.name)
    await assert.rejects(
      importRepository(services, { spaceId: space.id, url, createdBy: null, signal }),
      isFailure('interrupted'),
    )
  } finally {
    world.host.misbehave(undefined)
  }
  const operation = await lastOperation(space)
  assert.deepEqual([operation.state, operation.errorCode], ['failure', 'interrupted'])
  assert.deepEqual(await world.tree(space), [])
})

const withContents = (get: typeof services.contents.get): typeof services => ({
  ...services,
  contents: { ...services.contents, get },
})

/** Services under which the space is edited each time a plan has read it, at most `times`. */
function meddling(space: { id: string }, times: number): { services: typeof services; edits: () => number } {
  let edits = 0
  const edit = async (root: string) => {
    const head = await findSpace(services.db, space.id)
    if (edits >= times || head === undefined || head.root_hash.toString('hex') !== root) return
    edits += 1
    await publish(services, {
      spaceId: space.id,
      base: { revisionId: head.revision_id, root },
      edits: new Map([['variable/edited', edits]]),
      documents: [],
      type: 'edits',
      createdBy: null,
    })
  }
  // The reading ahead and the first plan may read at once: their edits would overtake each other.
  let turn = Promise.resolve()
  const get = async (root: string) => {
    const content = await services.contents.get(root)
    const own = turn.then(() => edit(root))
    turn = own.catch(() => {})
    await own
    return content
  }
  return { services: withContents(get), edits: () => edits }
}

test('an import that is overtaken plans again on top of what overtook it', async () => {
  const space = await world.createSpace()
  const meddler = meddling(space, 2)
  const outcome = await importFolder(meddler.services, { spaceId: space.id, folder, createdBy: null })
  assert.equal(meddler.edits(), 2)
  const { items } = await world.get(`/spaces/${space.id}/revisions`)
  const ids = items.map(({ id }: { id: string }) => id)
  assert.deepEqual(
    items.map(({ parents }: { parents: string[] }) => parents),
    [...ids.slice(1).map((id: string) => [id]), []],
    'one line, each on top of the one before',
  )
  assert.equal(ids[0], outcome.revisionId)
})

test('an import whose first plan fails because the head moved makes another one', async () => {
  const space = await world.createSpace()
  let reads = 0
  const meddled = withContents(async root => {
    reads += 1
    // The first plan is one of two that read first; the other is the reading ahead, or the second plan.
    if (reads <= 2) throw headMoved('space')
    return services.contents.get(root)
  })
  const { isChanged } = await importFolder(meddled, { spaceId: space.id, folder, createdBy: null })
  assert.ok(isChanged)
})

test('an import gives up on a space that is edited without a pause', async () => {
  const space = await world.createSpace()
  const meddler = meddling(space, Number.POSITIVE_INFINITY)
  await assert.rejects(
    importFolder(meddler.services, { spaceId: space.id, folder, createdBy: null }),
    isFailure('head_moved'),
  )
  // Three plans, and the reading ahead before the first.
  assert.ok(meddler.edits() <= 4, `${meddler.edits()} edits`)
  assert.deepEqual(await world.tree(space), [])
  assert.equal((await lastOperation(space)).errorCode, 'head_moved')
})

test('imports of one space take turns', async () => {
  const space = await world.createSpace()
  const repositories = [
    await world.repository([file('README.md', '# One')]),
    await world.repository([file('README.md', '# Two')]),
  ]
  const outcomes = await Promise.all(
    [...repositories, ...repositories].map(({ name }) =>
      importRepository(services, { spaceId: space.id, url: world.host.urlOf(name), createdBy: null }),
    ),
  )
  // Whichever came first: nobody found the head moved, and each saw what the one before it had left.
  const made = outcomes.filter(({ isChanged }) => isChanged).map(({ revisionId }) => revisionId)
  assert.ok(made.length >= 2)
  const { body } = await world.call('GET', `/spaces/${space.id}/revisions`)
  const [last] = body.items
  assert.deepEqual(new Set(body.items.slice(0, -1).map((item: { id: string }) => item.id)), new Set(made))
  assert.equal((await world.call('GET', `/spaces/${space.id}`)).body.revision, last.id)
})

test('an import into a space that was deleted meanwhile fails and changes nothing', async () => {
  const space = await world.createSpace()
  const repository = await world.repository([file('README.md', '# Hello')])
  await world.call('DELETE', `/spaces/${space.id}`)
  const url = world.host.urlOf(repository.name)
  await assert.rejects(
    importRepository(services, { spaceId: space.id, url, createdBy: null }),
    isFailure('space_missing'),
  )
})

test('operations that nobody carries out any more are marked as interrupted, running ones are not', async () => {
  const space = await world.createSpace()
  const operation = async (updatedAt: Date) =>
    insertOperation(services.db, {
      id: newId(),
      space_id: space.id,
      direction: 'import',
      state: 'running',
      stage: 'content_process',
      url: 'https://example.com/x.git',
      ref: 'refs/heads/main',
      updated_at: updatedAt,
    })
  const stateOf = async (id: string) => (await world.get(`/spaces/${space.id}/git/operations/${id}`)).state
  const minuteAgo = new Date(Date.now() - 61_000)
  const [lost, alive] = [await operation(minuteAgo), await operation(new Date())]
  assert.equal(await markInterrupted(services, { all: false }), 1)
  assert.deepEqual([await stateOf(lost.id), await stateOf(alive.id)], ['failure', 'running'])
  await services.transaction(trx => beginHistory(trx, space.id, 'c0ffee', 'https://example.com/x.git'))
  assert.equal(await markInterrupted(services, { all: true }), 1)
  const [history] = await listHistories(services.db, space.id)
  assert.equal(history?.left_out, 'interrupted', 'so that nobody waits for it')
  const { state, errorCode, completedAt } = await world.get(`/spaces/${space.id}/git/operations/${alive.id}`)
  assert.deepEqual([state, errorCode, typeof completedAt], ['failure', 'interrupted', 'string'])
})

test('what was fetched for a space that is gone for good is removed, other caches are kept', async () => {
  const [kept, gone] = [await world.createSpace(), await world.createSpace()]
  const repository = await world.repository([file('README.md', '# Hello')])
  await world.import(kept, repository)
  await world.import(gone, repository)
  await services.db.deleteFrom('spaces').where('id', '=', gone.id).execute()
  assert.ok((await removeLostRepositories(services)) >= 1)
  const names = readdirSync(join(services.config.home, 'repositories'))
  assert.deepEqual([names.includes(kept.id), names.includes(gone.id)], [true, false])
})

test('imports that wait are bounded', async () => {
  const space = await world.createSpace()
  for (let at = 0; at < 20; at += 1)
    await insertOperation(services.db, {
      id: newId(),
      space_id: space.id,
      direction: 'import',
      state: 'running',
      stage: 'repo_fetch',
      url: 'https://example.com/x.git',
      ref: 'refs/heads/main',
    })
  const body = { url: 'https://example.com/x.git', ref: 'main' }
  assert.equal((await world.call('POST', `/spaces/${space.id}/git/import`, { body })).status, 429)
})

test('a commit that was imported is imported again once something else became the head', async () => {
  const space = await world.createSpace()
  const repository = await world.repository([file('README.md', '# Hello')])
  const first = await world.import(space, repository)
  const standalone = await world.import(space, repository, { standalone: true })
  assert.deepEqual([standalone.state, standalone.skipped], ['success', false])
  assert.notEqual(standalone.revision, first.revision)
  await importFolder(services, { spaceId: space.id, folder, createdBy: null })
  const again = await world.import(space, repository)
  assert.deepEqual([again.state, again.skipped], ['success', false])
  assert.deepEqual(await world.tree(space), ['document readme | Hello'])
})
