// The events of imports and exports, in feeds and for integrations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edit, liveAt } from '../../../test/support/edits.ts'
import { file, importWorld, type Json } from '../../../test/support/imports.ts'
import { importFolder } from './import.ts'
import { markInterrupted } from './operation.ts'
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

/** What the feed says of the space since the last time, and what the integration received. */
function listenTo({ id }: { id: string }) {
  let cursor = 'now'
  let seen = 0
  return async (): Promise<{ feed: Json[]; received: Json[] }> => {
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
    const received = mine.slice(seen)
    seen = mine.length
    return {
      feed: body.items.map(({ type, payload }: Json) => [type.slice('space.git_sync_'.length), payload]),
      received,
    }
  }
}

test('an import or export of a commit has an event when it begins and when it ends, and so has a failure', async () => {
  const { body: space } = await world.call('POST', `/orgs/${world.organizationId}/spaces`)
  const repository = await world.repository([file('README.md', '# Start\n\nOne.\n')])
  const nextEvents = listenTo(space)
  await nextEvents()
  const about = (operation: Json) => ({ operation: operation.id, direction: operation.direction })
  const receivedEvent = (type: string, revisionId: string, commitId: string, state?: string) => ({
    ...{ type, spaceId: space.id, revisionId, commitId },
    ...(state === undefined ? {} : { state }),
  })

  const imported = await world.import(space, repository)
  const { commit } = imported
  assert.deepEqual(await nextEvents(), {
    feed: [
      ['started', { ...about(imported), revision: space.revision, commit }],
      ['completed', { ...about(imported), state: 'success', revision: imported.revision, commit }],
    ],
    received: [
      receivedEvent('space_gitsync_started', space.revision, commit),
      receivedEvent('space_gitsync_completed', imported.revision, commit, 'success'),
    ],
  })

  assert.equal((await world.import(space, repository)).skipped, true)
  assert.deepEqual(await nextEvents(), { feed: [], received: [] }, 'nothing was carried over')

  const page = (await world.get(`/spaces/${space.id}/content`)).pages[0].id
  const write = (markdown: string) =>
    edit(world, liveAt(space.id), { operation: 'update_page', page, document: { markdown } })
  const { revision } = await write('# Start\n\nTwo.\n')
  const exported = await world.export(space, repository)
  const { feed, received } = await nextEvents()
  assert.deepEqual(feed[0], ['started', { ...about(exported), revision, commit: exported.commit }])
  assert.deepEqual(feed[1][1].state, 'success')
  assert.equal(feed.length, 2)
  assert.deepEqual(
    received.map(({ type, commitId }) => [type, commitId]),
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
  const of = await nextEvents()
  const head = (await world.get(`/spaces/${space.id}`)).revision
  assert.deepEqual(of.feed, [
    ['started', { ...about(failed), revision: head, commit: tip }],
    [
      'completed',
      { ...about(failed), state: 'failure', errorCode: 'import_conflicts', revision: head, commit: tip },
    ],
  ])
  assert.deepEqual(of.received.at(-1), receivedEvent('space_gitsync_completed', head, tip, 'failure'))

  const nowhere = await world.import(space, repository, { ref: 'refs/heads/nowhere' })
  assert.deepEqual(await nextEvents(), {
    feed: [['completed', { ...about(nowhere), state: 'failure', errorCode: 'git_ref_missing' }]],
    received: [],
  })
})

test('an export that first imports what is new has events of both commits', async () => {
  const { body: space } = await world.call('POST', `/orgs/${world.organizationId}/spaces`)
  const repository = await world.repository([file('README.md', '# Start\n'), file('b.md', '# B\n')])
  await world.import(space, repository)
  const nextEvents = listenTo(space)
  await nextEvents()
  await repository.commit({ changes: [file('b.md', '# B\n\nThere.\n')] })
  const incoming = await repository.tip()
  await edit(world, liveAt(space.id), { operation: 'insert_page', title: 'New', document: {} })
  const { commit } = await world.export(space, repository)
  assert.deepEqual(
    (await nextEvents()).feed.map(([type, payload]) => [type, payload.commit, payload.state]),
    [
      ['started', incoming, undefined],
      ['completed', incoming, 'success'],
      ['started', commit, undefined],
      ['completed', commit, 'success'],
    ],
  )
})

test('an import begun by a process that died is reported as failed', async () => {
  const { body: space } = await world.call('POST', `/orgs/${world.organizationId}/spaces`)
  const nextEvents = listenTo(space)
  await nextEvents()
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
  assert.deepEqual((await nextEvents()).feed, [
    ['completed', { ...completed, revision: space.revision, commit: 'c0ffee' }],
  ])
})

test('an import of a folder has no events', async () => {
  const { body: space } = await world.call('POST', `/orgs/${world.organizationId}/spaces`)
  const nextEvents = listenTo(space)
  await nextEvents()
  const folder = '/nowhere/at/all'
  await assert.rejects(importFolder(world.services, { spaceId: space.id, folder, createdBy: null }))
  assert.deepEqual((await nextEvents()).feed, [])
})
