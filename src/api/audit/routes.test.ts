import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { world } from '../../../test/support/world.ts'
import { newEventId, newId } from '../../base/ids.ts'
import { beginSession } from '../sessions/actions.ts'
import { ACTIONS } from './labels.ts'
import { AUDIT_LIMIT_DEFAULT, AUDIT_LIMIT_MAX } from './schema.ts'

const w = await world()
const { db, transaction, events } = w.services
const org = `/orgs/${w.organizationId}`
const space = await w.createSpace({ title: 'Handbook' })

const list = async (query = '', as: 'admin' | 'stranger' = 'admin', path = org) =>
  (await w.call('GET', `${path}/audit-events${query}`, { as })).body
const details = async (id: string) => (await w.call('GET', `${org}/audit-events/${id}`)).body

const signIn = (userId: string, organizationId: string | null = null) =>
  transaction(trx =>
    beginSession(trx, events, {
      ...{ userId, method: 'password', organizationId, tokenId: null, address: '192.0.2.7', userAgent: null },
    }),
  )

test('an event has its action, time, actor, target and origin', async () => {
  const { body: changed, headers } = await w.call('PATCH', `/spaces/${space.id}`, {
    body: { language: 'de' },
  })
  const { items } = await list('?limit=1')
  const [event] = items
  assert.deepEqual(event, {
    object: 'audit-event',
    id: event.id,
    occurredAt: event.occurredAt,
    action: 'space.changed',
    actor: { type: 'user', id: w.people.admin.id, label: event.actor.label },
    source: 'api',
    target: { type: 'space', id: changed.id, label: 'Handbook' },
    urls: { location: `http://octavo.test/v1${org}/audit-events/${event.id}` },
  })
  assert.equal(event.actor.label, w.people.admin.email.split('@')[0])
  const principal = await w.principalOf('admin')
  assert.deepEqual(await details(event.id), {
    ...event,
    schemaVersion: 1,
    payload: { fields: ['language'] },
    correlationId: headers['x-request-id'],
    address: '127.0.0.1',
    token: principal.tokenId,
    space: space.id,
  })
})

test('settings that decide access are recorded with their old and new values', async () => {
  const own = await world()
  const path = `/orgs/${own.organizationId}`
  const told = async (method: string, changed: string, body: Record<string, unknown>) => {
    await own.call(method, changed, { body })
    const { items } = (await own.call('GET', `${path}/audit-events?limit=1`)).body
    return (await own.call('GET', `${path}/audit-events/${items[0].id}`)).body.payload
  }
  const { id } = await own.createSpace()
  const collection = (await own.call('POST', `${path}/collections`)).body.id
  assert.deepEqual(await told('PATCH', `/spaces/${id}`, { visibility: 'public', title: 'Open' }), {
    fields: ['title', 'visibility'],
    before: { visibility: 'private' },
    after: { visibility: 'public' },
  })
  assert.deepEqual((await told('PATCH', `/spaces/${id}`, { defaultLevel: null })).after, {
    defaultLevel: null,
  })
  assert.deepEqual(await told('PATCH', `/collections/${collection}`, { defaultLevel: 'edit' }), {
    collection,
    fields: ['defaultLevel'],
    before: { defaultLevel: 'inherit' },
    after: { defaultLevel: 'edit' },
  })
  const doors = { emailDomains: ['world.test'], defaultRole: 'admin', sso: true, inviteLinks: false }
  assert.deepEqual((await told('PATCH', path, doors)).after, doors)
})

test('deleted things, and those moved to another organization, keep their name at the time', async () => {
  const [own, other] = [await world(), await world()]
  await other.services.db
    .insertInto('members')
    .values({ organization_id: other.organizationId, user_id: own.people.admin.id, role: 'create' })
    .execute()
  const body = { organization: other.organizationId }
  const [carried, deleted] = [await own.createSpace({ title: 'A' }), await own.createSpace({ title: 'B' })]
  const created = await own.call('POST', `/orgs/${own.organizationId}/collections`, { body: { title: 'C' } })
  assert.equal((await own.call('POST', `/spaces/${carried.id}/transfer`, { body })).status, 200)
  assert.equal((await own.call('POST', `/collections/${created.body.id}/transfer`, { body })).status, 200)
  await own.call('DELETE', `/spaces/${deleted.id}`)
  await own.services.db.deleteFrom('spaces').where('id', '=', deleted.id).execute()
  const { items } = (await own.call('GET', `/orgs/${own.organizationId}/audit-events?limit=3`)).body
  assert.deepEqual(
    items.map(({ action, target }: { action: string; target: { label: string } }) => [action, target.label]),
    [
      ['space.deleted', 'B'],
      ['collection.leaving', 'C'],
      ['space.leaving', 'A'],
    ],
  )
})

test('events come newest first, in full pages, with the right count', async () => {
  for (let number = 0; number < AUDIT_LIMIT_DEFAULT + 5; number += 1)
    await w.call('PATCH', org, { body: { title: `Title ${number}` } })
  const first = await list('?action=organization.changed')
  assert.equal(first.items.length, AUDIT_LIMIT_DEFAULT)
  const all = await list(`?action=organization.changed&limit=${AUDIT_LIMIT_MAX}`)
  assert.equal(all.count, first.count)
  assert.equal(all.items.length, all.count)
  const second = await list(`?action=organization.changed&page=${first.next.page}`)
  assert.deepEqual([...first.items, ...second.items], all.items)
  const times = all.items.map((item: { occurredAt: string }) => item.occurredAt)
  assert.deepEqual(times, [...times].sort().reverse())
  const { status } = await w.call('GET', `${org}/audit-events?page=${first.next.page}`)
  assert.equal(status, 400)
})

test('each filter finds its matches, and filters combine', async () => {
  const { body: team } = await w.call('PUT', `${org}/teams`, { body: { title: 'Writers' } })
  const other = await w.createSpace()
  await w.call('PATCH', `/spaces/${other.id}`, { as: 'admin', body: { title: 'Other' } })
  await w.call('POST', `${org}/spaces`, { as: 'create' })
  const ids = async (query: string) =>
    (await list(query)).items.map((item: { action: string; target: { id: string } }) => [
      item.action,
      item.target.id,
    ])
  assert.deepEqual(await ids(`?target=${team.id}`), [['team.created', team.id]])
  assert.deepEqual(await ids(`?target=${other.id}`), [
    ['space.changed', other.id],
    ['space.created', other.id],
  ])
  assert.deepEqual(await ids(`?target=${other.id}&action=space.created`), [['space.created', other.id]])
  assert.equal((await ids(`?actor=${w.people.create.id}`)).length, 1)
  assert.deepEqual(await ids(`?actor=${w.people.create.id}&target=${other.id}`), [])
  assert.deepEqual(await ids('?actor=system'), [])
  const [newest] = (await list()).items
  const at = encodeURIComponent(newest.occurredAt)
  const { items } = await list(`?from=${at}&to=${at}`)
  assert.ok(items.some((item: { id: string }) => item.id === newest.id))
  assert.deepEqual(await ids('?to=2001-01-01T00:00:00Z'), [])
  assert.deepEqual(await ids('?from=2100-01-01T00:00:00Z'), [])
})

test('the target of every event finds that event', async () => {
  const { items } = await list(`?limit=${AUDIT_LIMIT_MAX}`)
  assert.ok(items.length > 20)
  for (const { id, target } of items) {
    assert.notEqual(target.id, '')
    const found = await list(`?limit=${AUDIT_LIMIT_MAX}&target=${target.id}`)
    assert.ok(found.items.some((item: { id: string }) => item.id === id))
  }
})

test('queries beyond the bounds and of other shapes are refused by field', async () => {
  for (const [query, field] of [
    ['limit=0', 'query.limit'],
    [`limit=${AUDIT_LIMIT_MAX + 1}`, 'query.limit'],
    ['limit=1.5', 'query.limit'],
    ['from=yesterday', 'query.from'],
    ['to=2026-13-45T00:00:00Z', 'query.to'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'query.from'],
    ['action=space.stolen', 'query.action'],
    ['action=user.changed', 'query.action'],
    ['page=eve', 'page'],
    [`target=${'x'.repeat(129)}`, 'query.target'],
    ['actor=a&actor=b', 'query.actor'],
  ] as const) {
    const { status, body } = await w.call('GET', `${org}/audit-events?${query}`)
    assert.equal(status, 400, query)
    assert.ok(body.error.message.startsWith(`${field}:`), body.error.message)
  }
  for (const id of ['nowhere', newEventId(), "'%00"])
    assert.equal((await w.call('GET', `${org}/audit-events/${encodeURIComponent(id)}`)).status, 404)
})

test('only admins see it, with a token that may', async () => {
  for (const path of ['audit-events', 'audit-event-actions', `audit-events/${newEventId()}`]) {
    for (const as of ['create', 'guest'] as const)
      assert.equal((await w.call('GET', `${org}/${path}`, { as })).status, 403)
    assert.equal((await w.call('GET', `${org}/${path}`, { as: 'stranger' })).status, 404)
    const { body: reader } = await w.call('POST', '/user/tokens', {
      body: { label: 'reads', scopes: ['organization:read'] },
    })
    assert.equal((await w.call('GET', `${org}/${path}`, { as: reader })).status, 403)
  }
  const { body: auditor } = await w.call('POST', '/user/tokens', {
    body: { label: 'audits', scopes: ['organization:audit:read'] },
  })
  assert.equal((await w.call('GET', `${org}/audit-events`, { as: auditor })).status, 200)
})

test('events of another organization are not shown', async () => {
  const { body: other } = await w.call('POST', '/orgs', { as: 'stranger', body: { title: 'Another' } })
  const { items } = await list('', 'stranger', `/orgs/${other.id}`)
  assert.ok(items.length > 0)
  for (const { id } of items) assert.equal((await w.call('GET', `${org}/audit-events/${id}`)).status, 404)
  const mine = await list(`?limit=${AUDIT_LIMIT_MAX}`)
  const theirs = await list(`?limit=${AUDIT_LIMIT_MAX}`, 'stranger', `/orgs/${other.id}`)
  const seen = new Set(mine.items.map((item: { id: string }) => item.id))
  assert.ok(!theirs.items.some((item: { id: string }) => seen.has(item.id)))
})

test('members who sign in are seen by their organizations, and their profiles are their own', async () => {
  await signIn(w.people.edit.id)
  await signIn(w.people.stranger.id)
  await w.call('PATCH', `/users/${w.people.edit.id}`, { as: 'edit', body: { displayName: 'Ada' } })
  const { items } = await list('?action=session.begun')
  assert.deepEqual(
    items.map((item: { target: object }) => item.target),
    [{ type: 'user', id: w.people.edit.id, label: 'Ada' }],
  )
  const { payload, address } = await details(items[0].id)
  assert.deepEqual([payload.method, Object.keys(payload).sort()], ['password', ['method', 'session']])
  assert.ok(address === null || typeof address === 'string')
  const all = await list(`?limit=${AUDIT_LIMIT_MAX}&actor=${w.people.edit.id}`)
  assert.ok(!all.items.some((item: { action: string }) => item.action === 'user.changed'))
})

test('events of a person from before they joined, or of another organization, are not shown', async () => {
  const { body: other } = await w.call('POST', '/orgs', { as: 'stranger', body: { title: 'Third' } })
  const before = (await list('?action=session.begun')).count
  await w.call('POST', `/orgs/${other.id}/invites`, {
    as: 'stranger',
    body: { emails: [w.people.read.email] },
  })
  await signIn(w.people.read.id, other.id)
  assert.equal((await list('?action=session.begun')).count, before)
  assert.equal((await list('?action=session.begun', 'stranger', `/orgs/${other.id}`)).count, 1)
  await signIn(w.people.stranger.id)
  await w.call('POST', `${org}/invites`, { body: { emails: [w.people.stranger.email] } })
  assert.equal((await list('?action=session.begun')).count, before)
  await signIn(w.people.stranger.id)
  assert.equal((await list('?action=session.begun')).count, before + 1)
})

test('events without an actor are of the server', async () => {
  await transaction(trx =>
    events.append(trx, {
      type: 'space.purged',
      organizationId: w.organizationId,
      spaceId: space.id,
      payload: {},
    }),
  )
  const [event] = (await list('?actor=system')).items
  assert.deepEqual([event.actor, event.source], [{ type: 'system', id: 'system' }, 'script'])
})

test('an unknown event type is shown by its name', async () => {
  const id = newEventId()
  await sql`insert into events (id, type, organization_id, payload)
    values (${id}, 'space.stolen', ${w.organizationId}, '{}')`.execute(db)
  const event = await details(id)
  assert.deepEqual([event.action, event.target.type], ['space.stolen', 'organization'])
})

test('each action is listed once, with a label, and personal ones are not', async () => {
  const { body } = await w.call('GET', `${org}/audit-event-actions`)
  const ids = body.items.map((item: { id: string }) => item.id)
  assert.equal(new Set(ids).size, ACTIONS.length)
  assert.ok(ids.includes('member.joined'))
  assert.ok(!ids.includes('user.changed'))
  const { items } = await list(`?limit=${AUDIT_LIMIT_MAX}`)
  for (const { action } of items) assert.ok(ids.includes(action) || action === 'space.stolen', action)
})

test('events cannot be changed: the database refuses', async () => {
  for (const statement of [
    sql`update events set type = 'nothing.happened'`,
    sql`update events set actor_id = ${newId()} where false`,
    sql`delete from events`,
    sql`truncate events`,
  ])
    await assert.rejects(statement.execute(db), /never changed or deleted/)
})
