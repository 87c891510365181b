import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { type PersonName, type World, world } from '../../../test/support/world.ts'
import { placeEvents } from '../../platform/events/positions.ts'
import { SCANNED_MAX } from './rows.ts'

const w = await world()
const database = await openTestDatabase()

type Told = { eventId: string; type: string; spaceId: string | null; cursor: string }

const feedOf = ({ organizationId }: Pick<World, 'organizationId'>) => `/orgs/${organizationId}/events`

async function read(of: World, query = '', as: PersonName = 'admin') {
  const { status, body, text } = await of.call('GET', `${feedOf(of)}${query}`, { as })
  assert.equal(status, 200, text)
  return body as { items: Told[]; cursor: string; hasMore: boolean }
}

/** All events after a cursor, by pages of `limit`. */
async function readAll(of: World, from: string | undefined, limit: number, as?: PersonName, filters = '') {
  const all: Told[] = []
  for (let cursor = from; ; ) {
    const at = cursor === undefined ? '' : `&cursor=${cursor}`
    const page = await read(of, `?limit=${limit}${at}${filters}`, as)
    all.push(...page.items)
    cursor = page.cursor
    if (!page.hasMore) return { all, cursor }
  }
}

const typesOf = (items: readonly Told[]): string[] => items.map(({ type }) => type)

test('an edit is in the feed as soon as it is answered, with its actor and change', async () => {
  const space = await w.createSpace({ title: 'Told' })
  const { cursor } = await read(w, '?cursor=now')
  const changes = [{ operation: 'insert_page', title: 'Rain', document: { markdown: 'It rains.\n' } }]
  const { body: made } = await w.call('POST', `/spaces/${space.id}/content`, { body: { changes } })
  const feed = await read(w, `?cursor=${cursor}`)
  const [event, ...more] = feed.items as unknown as Record<string, unknown>[]
  assert.deepEqual([more, feed.hasMore], [[], false])
  assert.ok(event !== undefined)
  assert.deepEqual(
    [event.object, event.type, event.organizationId, event.spaceId, event.actor, event.source],
    ['event', 'space.published', w.organizationId, space.id, { type: 'user', id: w.people.admin.id }, 'api'],
  )
  assert.equal((event.payload as { revision: string }).revision, made.revision)
  assert.deepEqual((await read(w, `?cursor=${feed.cursor}`)).items, [])
  assert.deepEqual((await read(w, `?cursor=${event.cursor}`)).items, [])
})

test('pages of any length make up the whole feed', async () => {
  for (const title of ['a', 'b', 'c']) await w.createSpace({ title })
  const { all } = await readAll(w, undefined, 1000)
  assert.ok(all.length >= 4)
  for (const limit of [1, 2, 7])
    assert.deepEqual((await readAll(w, undefined, limit)).all, all, `by ${limit}`)
  assert.equal(new Set(all.map(({ eventId }) => eventId)).size, all.length)
})

test('a feed is filtered by types and by space, and its cursor works with any filter', async () => {
  const { cursor } = await read(w, '?cursor=now')
  const [one, other] = [await w.createSpace({ title: 'One' }), await w.createSpace({ title: 'Other' })]
  await w.call('PATCH', `/spaces/${one.id}`, { body: { title: 'First' } })
  const from = `?cursor=${cursor}`
  assert.deepEqual(typesOf((await read(w, `${from}&space=${one.id}`)).items), [
    'space.created',
    'space.changed',
  ])
  const changed = await read(w, `${from}&types=space.changed`)
  assert.deepEqual(typesOf(changed.items), ['space.changed'])
  const both = await read(w, `${from}&types=space.changed&types=space.created&space=${other.id}`)
  assert.deepEqual(typesOf(both.items), ['space.created'])
  assert.deepEqual((await read(w, `?cursor=${changed.cursor}`)).items, [])
  assert.deepEqual((await read(w, `${from}&space=elsewhere`)).items, [])
})

test('everybody sees the events they may: readers those of their spaces, admins all, guests those of spaces granted to them', async () => {
  const of = await world()
  const open = await of.createSpace({ title: 'Open to members' })
  const closed = await of.createSpace({ title: 'Closed' })
  const given = await of.createSpace({ title: 'Given' })
  for (const { id } of [closed, given])
    await of.call('PATCH', `/spaces/${id}`, { body: { defaultLevel: null } })
  const { cursor } = await read(of, '?cursor=now')
  for (const { id } of [open, closed, given])
    await of.call('PATCH', `/spaces/${id}`, { body: { title: 'New' } })
  const path = `/spaces/${given.id}/permissions/users/${of.people.guest.id}`
  await of.call('PATCH', path, { body: { role: 'read' } })
  await of.call('POST', `/spaces/${open.id}/share-links`, { body: { name: 'Partners' } })
  await of.call('PUT', `/orgs/${of.organizationId}/teams`, { body: { title: 'Writers', members: [] } })
  const seen = async (as: PersonName) =>
    (await readAll(of, cursor, 2, as)).all.map(({ type, spaceId }) => [type, spaceId])
  const teams = [['team.created', null]]
  const opened = ['space.changed', open.id]
  assert.deepEqual(await seen('admin'), [
    opened,
    ['space.changed', closed.id],
    ['space.changed', given.id],
    ['space.permission_changed', given.id],
    ['share_link.created', open.id],
    ...teams,
  ])
  assert.deepEqual(await seen('edit'), [opened, ...teams])
  assert.deepEqual(await seen('guest'), [['space.changed', given.id]])
  const { status } = await of.call('GET', feedOf(of), { as: 'stranger' })
  assert.equal(status, 404)
})

test('without access to a space its events are not shown, not even earlier ones', async () => {
  const of = await world()
  const { cursor } = await read(of, '?cursor=now')
  const space = await of.createSpace({ title: 'Soon closed' })
  const inSpace = async () => (await readAll(of, cursor, 5, 'edit', `&space=${space.id}`)).all.length
  assert.equal(await inSpace(), 1)
  await of.call('PATCH', `/spaces/${space.id}/permissions/users/${of.people.edit.id}`, {
    body: { role: null },
  })
  assert.equal(await inSpace(), 0)
})

test('a cursor of another feed, an invalid cursor and an unknown type are refused with 400', async () => {
  const other = await world()
  const { cursor } = await read(other, '?cursor=now')
  for (const query of [`cursor=${cursor}`, 'cursor=abc', 'types=space.exploded', 'limit=0', 'limit=1001'])
    assert.equal((await w.call('GET', `${feedOf(w)}?${query}`)).status, 400, query)
})

test('invisible events are skipped in bounded steps, and the cursor moves past them', async () => {
  const of = await world()
  const { cursor } = await read(of, '?cursor=now', 'guest')
  const space = await of.createSpace({ title: 'Hidden from guests' })
  await placeEvents(of.services)
  const { db } = of.services
  await sql`insert into event_positions (organization_id, position, event_id, space_id, type)
    select organization_id, position + n, event_id, space_id, type
    from (select * from event_positions where organization_id = ${of.organizationId}
      order by position desc limit 1) as last, generate_series(1, ${SCANNED_MAX}::integer) n`.execute(db)
  const first = await read(of, `?cursor=${cursor}`, 'guest')
  assert.deepEqual([first.items, first.hasMore], [[], true])
  await of.call('PATCH', `/spaces/${space.id}/permissions/users/${of.people.guest.id}`, {
    body: { role: 'read' },
  })
  const rest = await readAll(of, first.cursor, 100, 'guest', '&types=space.created')
  assert.equal(rest.all.length, 1)
})

test('reading the feed neither loses nor repeats events of concurrent writers', async () => {
  const of = await world()
  const spaces = await Promise.all(Array.from({ length: 4 }, () => of.createSpace()))
  const { cursor: start } = await read(of, '?cursor=now')
  let isOver = false
  const reading = (async () => {
    const all: Told[] = []
    for (let cursor = start; ; ) {
      const wasOver = isOver
      const { all: more, cursor: next } = await readAll(of, cursor, 3)
      all.push(...more)
      cursor = next
      if (wasOver) return all
    }
  })()
  const EDITS = 8
  await Promise.all(
    spaces.map(async ({ id }) => {
      for (let n = 0; n < EDITS; n++) await of.call('PATCH', `/spaces/${id}`, { body: { title: `${n}` } })
    }),
  )
  isOver = true
  const all = await reading
  assert.equal(all.length, spaces.length * EDITS)
  assert.deepEqual((await readAll(of, start, 1000)).all, all)
})

const isEmbedded = database.kind === 'embedded'
test('an event written first and committed last is not skipped', {
  skip: isEmbedded && 'the embedded database has one transaction at a time',
}, async () => {
  const of = await world()
  const { cursor } = await read(of, '?cursor=now')
  const { transaction, events } = of.services
  const tell = (title: string, until?: Promise<void>, written?: () => void) =>
    transaction(async trx => {
      const payload = { team: title, title, members: [] }
      await events.append(trx, { type: 'team.created', organizationId: of.organizationId, payload })
      written?.()
      await until
    })
  const seen: string[] = []
  let next = cursor
  const readOn = async () => {
    const page = await read(of, `?cursor=${next}`)
    seen.push(...page.items.map(item => (item as unknown as { payload: { title: string } }).payload.title))
    next = page.cursor
  }
  const [isWritten, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = tell('first', mayCommit.promise, isWritten.resolve)
  await isWritten.promise
  await tell('second')
  await readOn()
  assert.deepEqual(seen, ['second'])
  mayCommit.resolve()
  await first
  await readOn()
  assert.deepEqual(seen, ['second', 'first'])
})
