import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindsOf, notificationsOf } from '../../../test/support/notifications.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { placeEvents } from '../../platform/events/positions.ts'
import { countConflicts } from './known-conflicts.ts'

const w = await world()
const { db } = w.services

async function newProposal() {
  const space = await spaceWith(w, { 'README.md': '# Guide\n\nOne word.\n' })
  const s = `/spaces/${space}`
  const { body: content } = await w.call('GET', `${s}/content/pages`)
  const [{ id: page }] = content.pages
  const { body: proposal } = await w.call('POST', `${s}/change-requests`, {
    as: 'edit',
    body: { subject: 'Better' },
  })
  const write = async (at: string, words: string, as: 'edit' | 'admin') => {
    const changes = [{ operation: 'update_page', page, document: { markdown: `# Guide\n\n${words}\n` } }]
    assert.equal((await w.call('POST', `${at}/content`, { as, body: { changes } })).status, 200)
  }
  const at = `${s}/change-requests/${proposal.id}`
  const count = () => countConflicts(w.services, space, new AbortController().signal)
  const listed = async () => {
    const { body } = await w.call('GET', `${s}/change-requests?status=draft`, { as: 'read' })
    return body.items[0].conflicts
  }
  return { space, s, at, write, count, listed }
}

test('a head that moves → conflicts are counted, are in lists, and the author is told once', async () => {
  const { space, s, at, write, count, listed } = await newProposal()
  assert.equal(await listed(), undefined)
  await write(at, 'Two words.', 'edit')
  await count()
  assert.equal(await listed(), 0)
  await write(s, 'Three words.', 'admin')
  assert.equal(await listed(), undefined, 'what was counted is of other heads')
  await count()
  await count()
  assert.equal(await listed(), 1)
  const [one, ...more] = await notificationsOf(w, 'edit')
  assert.deepEqual(more, [])
  assert.deepEqual(
    [one.kind, one.space.id, one.changeRequest.subject, one.actor],
    ['conflict', space, 'Better', undefined],
  )
  await write(s, 'Four words.', 'admin')
  await count()
  assert.deepEqual(await kindsOf(w, 'edit'), ['conflict'])
  await write(at, 'Four words.', 'edit')
  await count()
  assert.equal(await listed(), 0)
  const events = await db
    .selectFrom('events')
    .select('payload')
    .where('type', '=', 'change_request.conflicts_changed')
    .where('space_id', '=', space)
    .orderBy('occurred_at')
    .execute()
  assert.deepEqual(
    events.map(({ payload }) => [payload.before, payload.conflicts]),
    [
      [0, 1],
      [1, 0],
    ],
  )
})

test('heads that move several times → one job of the space waits; without a change request there is none', async () => {
  const { space, s, at, write } = await newProposal()
  const { id: empty } = await w.createSpace()
  const insert = [{ operation: 'insert_page', document: { markdown: '# Rain\n' } }]
  await w.call('POST', `/spaces/${empty}/content`, { body: { changes: insert } })
  await write(s, 'Two words.', 'admin')
  await write(at, 'Three words.', 'edit')
  await write(s, 'Four words.', 'admin')
  await placeEvents(w.services)
  const waiting = (key: string) =>
    db
      .selectFrom('jobs')
      .select('id')
      .where('name', '=', 'merges.count_conflicts')
      .where('key', '=', key)
      .execute()
  assert.deepEqual([(await waiting(space)).length, (await waiting(empty)).length], [1, 0])
})
