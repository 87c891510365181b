import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { cookieOf, givePassword, signedIn } from '../../../test/support/sessions.ts'
import { world } from '../../../test/support/world.ts'
import { issueToken } from '../accounts/actions.ts'
import { SEEN_IN_SESSION_SECONDS } from '../members/actions.ts'
import { SESSION_DAYS_MAX } from './actions.ts'
import { findClosed } from './closed.ts'
import { flushSessionUses, purgeSessions } from './jobs.ts'
import { createPasswordLink } from './password-links.ts'
import { signInWithPassword } from './sign-in.ts'

const w = await world()
const DAY_MS = 24 * 60 * 60 * 1000
const { findSession } = w.services.principals

test('the browsers one is signed in with are listed, newest first, without anything that opens them', async () => {
  const before = Date.now()
  const older = await signedIn(w, 'read')
  // Sessions of one millisecond have no order.
  await setTimeout(2)
  const secrets = [older, await signedIn(w, 'read', { method: 'oidc', userAgent: 'a\u0007b' })]
  const { status, body, text } = await w.call('GET', '/user/sessions', { as: 'read' })
  assert.equal(status, 200)
  assert.equal(body.count, 2)
  const [newest, oldest] = body.items
  assert.deepEqual([newest.object, newest.method, oldest.method], ['user-session', 'oidc', 'password'])
  assert.deepEqual([newest.userAgent, newest.address, newest.organization], ['a b', '203.0.113.7', null])
  const begun = Date.parse(newest.expiresAt) - SESSION_DAYS_MAX * DAY_MS
  assert.ok(begun >= before && begun <= Date.now())
  for (const secret of secrets) assert.ok(!text.includes(secret))
  const events = w.services.db.selectFrom('events').select('payload').where('type', '=', 'session.begun')
  const told = (await events.where('actor_id', '=', w.people.read.id).execute()).map(({ payload }) => payload)
  const shown = body.items.map(({ id: session, method }: { id: string; method: string }) => ({
    session,
    method,
  }))
  assert.deepEqual(new Set(told), new Set(shown))
  const first = await w.call('GET', '/user/sessions?limit=1', { as: 'read' })
  const second = await w.call('GET', `/user/sessions?limit=1&page=${first.body.next.page}`, { as: 'read' })
  assert.deepEqual([second.body.items[0].id, second.body.next], [oldest.id, undefined])
  assert.equal((await w.call('GET', '/user/sessions', { as: 'edit' })).body.count, 0)
  const of = `/user/sessions?limit=1&page=${first.body.next.page}`
  assert.equal((await w.call('GET', of, { as: 'edit' })).status, 400, 'a cursor is of one list')
})

test('a session that was ended opens nothing from that instant; ending it again is done too', async () => {
  const secret = await signedIn(w, 'comment')
  assert.equal((await findSession(secret))?.user.id, w.people.comment.id)
  const [{ id }] = (await w.call('GET', '/user/sessions', { as: 'comment' })).body.items
  assert.equal((await w.call('DELETE', `/user/sessions/${id}`, { as: 'edit' })).status, 204)
  assert.notEqual(await findSession(secret), undefined, 'nobody ends that of somebody else')
  for (let time = 0; time < 2; time += 1)
    assert.equal((await w.call('DELETE', `/user/sessions/${id}`, { as: 'comment' })).status, 204)
  assert.equal(await findSession(secret), undefined)
})

test('a token that was narrowed lists and ends no sessions; a session is no credential of the API', async () => {
  const make = (more: { scopes?: string[]; organizationId?: string }) =>
    w.services.transaction(trx => issueToken(trx, { userId: w.people.review.id, label: 'narrow', ...more }))
  const secret = await signedIn(w, 'review')
  const { id } = { id: (await findSession(secret))?.session?.id }
  const scoped = { token: (await make({ scopes: ['user:read', 'user:write'] })).secret }
  assert.equal((await w.call('GET', '/user/sessions', { as: scoped })).status, 403)
  assert.equal((await w.call('DELETE', `/user/sessions/${id}`, { as: scoped })).status, 403)
  const local = { token: (await make({ organizationId: w.organizationId })).secret }
  assert.equal((await w.call('GET', '/user/sessions', { as: local })).body.count, 0)
  await w.call('DELETE', `/user/sessions/${id}`, { as: local })
  assert.notEqual(await findSession(secret), undefined)
  for (const headers of [{ authorization: `Bearer ${secret}` }, { cookie: await cookieOf(w, 'review') }])
    assert.equal((await w.call('GET', '/user/sessions', { as: null, headers })).status, 401)
})

test('a session ends after its lifetime, after a period without use, and with its token', async () => {
  const { row } = await w.services.transaction(trx =>
    issueToken(trx, { userId: w.people.edit.id, label: 'one' }),
  )
  const secrets = {
    old: await signedIn(w, 'edit'),
    idle: await signedIn(w, 'edit'),
    token: await signedIn(w, 'edit', { method: 'token', tokenId: row.id }),
    used: await signedIn(w, 'edit'),
  }
  const ids = Object.fromEntries(
    await Promise.all(
      Object.entries(secrets).map(async ([name, secret]) => [name, (await findSession(secret))?.session?.id]),
    ),
  )
  w.services.principals.takeSessionUses()
  const before = Date.now()
  const set = (id: string, change: { expires_at?: Date; last_used_at?: Date }) =>
    w.services.transaction(trx => trx.updateTable('sessions').set(change).where('id', '=', id).execute())
  await set(ids.old, { expires_at: new Date(Date.now() - 1) })
  await set(ids.idle, { last_used_at: new Date(Date.now() - 15 * DAY_MS) })
  // Only time makes a session idle, and nothing announces it.
  w.services.changes.touch(new Set([ids.idle]))
  await set(ids.used, { last_used_at: new Date(Date.now() - 13 * DAY_MS) })
  await w.services.transaction(trx => trx.deleteFrom('tokens').where('id', '=', row.id).execute())
  for (const name of ['old', 'idle', 'token'] as const)
    assert.equal(await findSession(secrets[name]), undefined, name)
  assert.notEqual(await findSession(secrets.used), undefined)
  assert.equal((await w.call('GET', '/user/sessions', { as: 'edit' })).body.count, 1, 'nor are they listed')
  await flushSessionUses(w.services)
  await purgeSessions(w.services)
  const left = await w.services.db
    .selectFrom('sessions')
    .select(['id', 'last_used_at'])
    .where('user_id', '=', w.people.edit.id)
    .execute()
  assert.deepEqual(
    left.map(({ id }) => id),
    [ids.used],
  )
  assert.ok((left[0]?.last_used_at.getTime() ?? 0) >= before, 'its use was written down')
})

test('people are seen where their sessions open, when these are used, and it is written once in five minutes', async () => {
  const own = await world()
  const other = (await own.call('POST', '/orgs', { as: 'read', body: { title: 'Another' } })).body.id
  const seenIn = async (organization: string) =>
    (await own.call('GET', `/orgs/${organization}/members/${own.people.read.id}`, { as: 'read' })).body
      .lastSeenAt
  const use = async (secret: string) => {
    await own.services.principals.findSession(secret)
    await flushSessionUses(own.services)
  }
  const members = () => own.services.db.updateTable('members').where('user_id', '=', own.people.read.id)
  await own.call('GET', `/orgs/${other}`, { as: 'read' })
  await flushSessionUses(own.services)
  assert.equal(await seenIn(other), undefined, 'a token is no person')
  await use(await signedIn(own, 'read', { method: 'oidc', organizationId: own.organizationId }))
  const first = await seenIn(own.organizationId)
  assert.ok(Math.abs(Date.now() - Date.parse(first)) < 60_000)
  assert.equal(await seenIn(other), undefined)
  const secret = await signedIn(own, 'read')
  await use(secret)
  assert.equal(await seenIn(own.organizationId), first)
  assert.ok((await seenIn(other)) >= first)
  const long = new Date(Date.now() - (SEEN_IN_SESSION_SECONDS + 60) * 1000)
  await members().set({ last_seen_at: long }).execute()
  await members().set({ disabled: true }).where('organization_id', '=', own.organizationId).execute()
  await use(secret)
  assert.ok((await seenIn(other)) > long.toISOString())
  const { last_seen_at } = await own.services.db
    .selectFrom('members')
    .select('last_seen_at')
    .where('user_id', '=', own.people.read.id)
    .where('organization_id', '=', own.organizationId)
    .executeTakeFirstOrThrow()
  assert.deepEqual(last_seen_at, long, 'a membership that is disabled opens nothing')
})

test('a session that one organization vouched for opens that one alone', async () => {
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Another' } })
  const open = await findSession(await signedIn(w, 'admin'))
  const bound = await findSession(await signedIn(w, 'admin', { method: 'saml', organizationId: other.id }))
  assert.equal(open?.memberships.size, 2)
  assert.deepEqual([...(bound?.memberships ?? [])], [[other.id, 'admin']])
})

test('a password opens nothing if each membership is disabled or signs in elsewhere, and is called disabled only if all are', async () => {
  const { id } = w.people.stranger
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Other' } })
  const open = { disabled: false, sso: false }
  const disabled = { disabled: true, sso: false }
  const elsewhere = { disabled: false, sso: true }
  const both = { disabled: true, sso: true }
  const closed = (...memberships: { disabled: boolean; sso: boolean }[]) =>
    w.services.transaction(async trx => {
      await trx.deleteFrom('members').where('user_id', '=', id).execute()
      for (const [index, membership] of memberships.entries()) {
        const organization_id = [w.organizationId, other.id][index]
        await trx
          .insertInto('members')
          .values({ organization_id, user_id: id, role: 'read', ...membership })
          .execute()
      }
      return findClosed(trx, id, null)
    })
  for (const [memberships, why] of [
    [[], undefined],
    [[open], undefined],
    [[open, disabled], undefined],
    [[open, elsewhere], undefined],
    [[disabled], 'disabled'],
    [[disabled, both], 'disabled'],
    [[elsewhere], 'sso'],
    [[elsewhere, disabled], 'sso'],
  ] as const)
    assert.equal(await closed(...memberships), why, JSON.stringify(memberships))
})

test('expired links and attempts are purged, valid ones are not', async () => {
  const { db, transaction } = w.services
  for (let time = 0; time < 2; time += 1)
    await transaction(trx => createPasswordLink(trx, w.people.create.id, { isMailed: true }))
  const [old] = await db
    .selectFrom('password_links')
    .selectAll()
    .where('user_id', '=', w.people.create.id)
    .execute()
  await db
    .updateTable('password_links')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', old?.id ?? '')
    .execute()
  const failures = () => db.selectFrom('sign_in_failures').select('key').execute()
  const others = await failures()
  const browser = { address: null, userAgent: null }
  for (const email of ['new@people.test', 'old@people.test'])
    await signInWithPassword(w.services, { email, password: 'wrong' }, browser)
  const among = (some: { key: Buffer }[], { key }: { key: Buffer }) => some.some(one => one.key.equals(key))
  const [first, second] = (await failures()).filter(one => !among(others, one))
  assert.ok(first !== undefined && second !== undefined)
  await db
    .updateTable('sign_in_failures')
    .set({ last_failed_at: new Date(Date.now() - DAY_MS) })
    .where('key', '=', first.key)
    .execute()
  await purgeSessions(w.services)
  const links = db.selectFrom('password_links').select('id').where('user_id', '=', w.people.create.id)
  assert.equal((await links.execute()).length, 1)
  const left = await failures()
  assert.deepEqual([among(left, first), among(left, second)], [false, true])
})

test('a password that was kept with other parameters is kept with those of now when it is used', async () => {
  const { hash } = await import('@node-rs/argon2')
  const weak = await hash('rain on a tin roof', { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  await givePassword(w, w.people.create.id, 'whatever it was')
  const { db, transaction } = w.services
  await transaction(trx =>
    trx.updateTable('passwords').set({ hash: weak }).where('user_id', '=', w.people.create.id).execute(),
  )
  const given = { email: w.people.create.email, password: 'rain on a tin roof' }
  const browser = { address: null, userAgent: null }
  for (let time = 0; time < 2; time += 1)
    assert.equal((await signInWithPassword(w.services, given, browser)).kind, 'done')
  const { hash: kept } = await db
    .selectFrom('passwords')
    .select('hash')
    .where('user_id', '=', w.people.create.id)
    .executeTakeFirstOrThrow()
  assert.match(kept, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})
