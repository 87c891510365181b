// The events of imports and exports, in feeds and for integrations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edit, liveAt } from '../../../test/support/edits.ts'
import { file, importWorld, type Json } from '../../../test/support/imports.ts'
import { importFolder, markInterrupted } from './import.ts'
import { insertOperation } from './rows.ts'

const world = await importWorld()

const integration = '/integrations/git-listener'
const published = await world.call('POST', integration, {
  body: {
    ...{ organization: world.organizationId, title: 'Listener', description: '', script: '' },
    scopes: ['space:git:sync'],
  },
})
assert.equal(published.status, 200, published.text)
await world.call('POST', `${integration}/installations`, { body: { organization: world.organizationId } })

/** What the feed says of the space since the last time, and what the integration was told of it. */
function listenTo({ id }: { id: string }) {
  let cursor = 'now'
  let seen = 0
  return async (): Promise<{ feed: Json[]; told: Json[] }> => {
    const { body } = await world.call(
      'GET',
      `/orgs/${world.organizationId}/events?space=${id}&cursor=${cursor}&types=space.git_sync_started&types=space.git_sync_completed`,
    )
    cursor = body.cursor
    const { items } = (await world.call('GET', `${integration}/events?limit=1000`)).body
    const mine = items
      .toReversed()
      .map(({ payload: { eventId: _, installationId: _id, ...payload } }: Json) => payload)
      .filter(({ spaceId }: Json) => spaceId === id)
    const told = mine.slice(seen)
    seen = mine.length
    return {
      feed: body.items.map(({ type, payload }: Json) => [type.slice('space.git_sync_'.length), payload]),
      told,
    }
  }
}

test('a commit that comes in or goes out is told when it begins and when it ended, and a failure too', async () => {
  const { body: space } = await world.call('POST', `/orgs/${world.organizationId}/spaces`)
  const repository = await world.repository([file('README.md', '# Start\n\nOne.\n')])
  const heard = listenTo(space)
  await heard()
  const about = (operation: Json) => ({ operation: operation.id, direction: operation.direction })
  const toldOf = (type: string, revisionId: string, commitId: string, state?: string) => ({
    ...{ type, spaceId: space.id, revisionId, commitId },
    ...(state === undefined ? {} : { state }),
  })

  const imported = await world.import(space, repository)
  const { commit } = imported
  assert.deepEqual(await heard(), {
    feed: [
      ['started', { ...about(imported), revision: space.revision, commit }],
      ['completed', { ...about(imported), state: 'success', revision: imported.revision, commit }],
    ],
    told: [
      toldOf('space_gitsync_started', space.revision, commit),
      toldOf('space_gitsync_completed', imported.revision, commit, 'success'),
    ],
  })

  assert.equal((await world.import(space, repository)).skipped, true)
  assert.deepEqual(await heard(), { feed: [], told: [] }, 'nothing was carried over')

  const page = (await world.get(`/spaces/${space.id}/content`)).pages[0].id
  const write = (markdown: string) =>
    edit(world, liveAt(space.id), { operation: 'update_page', page, document: { markdown } })
  const { revision } = await write('# Start\n\nTwo.\n')
  const exported = await world.export(space, repository)
  const { feed, told } = await heard()
  assert.deepEqual(feed[0], ['started', { ...about(exported), revision, commit: exported.commit }])
  assert.deepEqual(feed[1][1].state, 'success')
  assert.equal(feed.length, 2)
  assert.deepEqual(
    told.map(({ type, commitId }) => [type, commitId]),
    [
      ['space_gitsync_started', exported.commit],
      ['space_gitsync_completed', exported.commit],
    ],
  )

  await repository.commit({ changes: [file('README.md', '# Start\n\nTheirs.\n')] })
  await write('# Start\n\nOurs.\n')
  const tip = await repository.tip()
  const failed = await world.import(space, repository)
  assert.deepEqual([failed.errorCode, failed.commit], ['import_conflicts', tip])
  const of = await heard()
  const head = (await world.get(`/spaces/${space.id}`)).revision
  assert.deepEqual(of.feed, [
    ['started', { ...about(failed), revision: head, commit: tip }],
    [
      'completed',
      { ...about(failed), state: 'failure', errorCode: 'import_conflicts', revision: head, commit: tip },
    ],
  ])
  assert.deepEqual(of.told.at(-1), toldOf('space_gitsync_completed', head, tip, 'failure'))

  const nowhere = await world.import(space, repository, { ref: 'refs/heads/nowhere' })
  assert.deepEqual(await heard(), {
    feed: [['completed', { ...about(nowhere), state: 'failure', errorCode: 'git_ref_missing' }]],
    told: [],
  })
})

test('an export that takes in what is new there first tells of both commits', async () => {
  const { body: space } = await world.call('POST', `/orgs/${world.organizationId}/spaces`)
  const repository = await world.repository([file('README.md', '# Start\n'), file('b.md', '# B\n')])
  await world.import(space, repository)
  const heard = listenTo(space)
  await heard()
  await repository.commit({ changes: [file('b.md', '# B\n\nThere.\n')] })
  const incoming = await repository.tip()
  await edit(world, liveAt(space.id), { operation: 'insert_page', title: 'New', document: {} })
  const { commit } = await world.export(space, repository)
  assert.deepEqual(
    (await heard()).feed.map(([type, payload]) => [type, payload.commit, payload.state]),
    [
      ['started', incoming, undefined],
      ['completed', incoming, 'success'],
      ['started', commit, undefined],
      ['completed', commit, 'success'],
    ],
  )
})

test('what was begun by a process that is gone is told to have failed', async () => {
  const { body: space } = await world.call('POST', `/orgs/${world.organizationId}/spaces`)
  const heard = listenTo(space)
  await heard()
  const lost = { space_id: space.id, direction: 'import', state: 'running', stage: 'finalize' } as const
  const updated_at = new Date(Date.now() - 61_000)
  const row = { ...lost, id: `lost-${space.id}`, url: 'https://example.com/x.git', ref: 'refs/heads/main' }
  await insertOperation(world.services.db, { ...row, updated_at, commit_oid: 'c0ffee' })
  await insertOperation(world.services.db, {
    ...row,
    updated_at,
    id: `folder-${space.id}`,
    url: 'file:',
    ref: '',
  })
  await markInterrupted(world.services, { all: false })
  const completed = { operation: row.id, direction: 'import', state: 'failure', errorCode: 'interrupted' }
  assert.deepEqual((await heard()).feed, [
    ['completed', { ...completed, revision: space.revision, commit: 'c0ffee' }],
  ])
})

test('folders are no repositories, and nothing is told of them', async () => {
  const { body: space } = await world.call('POST', `/orgs/${world.organizationId}/spaces`)
  const heard = listenTo(space)
  await heard()
  const folder = '/nowhere/at/all'
  await assert.rejects(importFolder(world.services, { spaceId: space.id, folder, createdBy: null }))
  assert.deepEqual((await heard()).feed, [])
})
