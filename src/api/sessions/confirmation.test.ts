import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { givePassword, signedIn, signInAs, Tab, workspaceHeaders } from '../../../test/support/sessions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { LOCK_MINUTES, TRIES_MAX } from './lockout.ts'

const w = await world()
const PASSWORD = 'rain on a tin roof'
const PEOPLE = ['admin', 'create', 'edit'] as const
for (const person of PEOPLE) await givePassword(w, w.people[person].id, PASSWORD)
const org = `/orgs/${w.organizationId}`

type Headers = Readonly<Record<string, string>>
const call = (headers: Headers, method: string, path: string, body?: object) =>
  w.call(method, path, { as: null, headers, ...(body === undefined ? {} : { body }) })
const begin = async (person: PersonName, session: Parameters<typeof signedIn>[2] = {}) =>
  workspaceHeaders(await signedIn(w, person, session))
const confirm = (headers: Headers, body: object) => call(headers, 'POST', '/user/session/confirm', body)
const refusalOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body?.error?.reason]
const makeToken = (headers: Headers) => call(headers, 'POST', '/user/tokens', { label: 'made in a browser' })
/** As if that long had passed. */
const age = async (headers: Headers, minutes: number) => {
  const { body } = await call(headers, 'GET', '/user/session')
  await w.services.transaction(trx =>
    trx
      .updateTable('sessions')
      .set({ confirmed_at: new Date(Date.now() - minutes * 60_000) })
      .where('id', '=', body.id)
      .execute(),
  )
}

let headers: Headers
beforeEach(async () => {
  headers = await begin('admin')
})

test('a session tells who is signed in, until when, and whether they have confirmed it', async () => {
  const { body: before } = await call(headers, 'GET', '/user/session')
  assert.equal(before.user.id, w.people.admin.id)
  assert.equal(before.method, 'password')
  assert.deepEqual(before.confirmation, { until: null, by: 'password' })
  const days = (new Date(before.expiresAt).getTime() - Date.now()) / 86_400_000
  assert.ok(days > 29 && days <= 30, `${days} days`)
  const { body: after } = await confirm(headers, { password: PASSWORD })
  const { body: read } = await call(headers, 'GET', '/user/session')
  assert.deepEqual(read, after)
  const minutes = (new Date(read.confirmation.until).getTime() - Date.now()) / 60_000
  assert.ok(minutes > 9 && minutes <= 10, `${minutes} minutes`)
})

test('what outlasts a session asks for the password, for ten minutes after which it asks again', async () => {
  assert.deepEqual(refusalOf(await makeToken(headers)), [403, 'confirm_identity'])
  assert.equal((await confirm(headers, { password: PASSWORD })).status, 200)
  assert.equal((await makeToken(headers)).status, 201)
  await age(headers, 9.9)
  assert.equal((await makeToken(headers)).status, 201)
  await age(headers, 10)
  assert.deepEqual(refusalOf(await makeToken(headers)), [403, 'confirm_identity'])
})

test('another session of the same person is not confirmed with it', async () => {
  const other = await begin('admin')
  await confirm(headers, { password: PASSWORD })
  assert.deepEqual(refusalOf(await makeToken(other)), [403, 'confirm_identity'])
})

test('who has just signed in with the password is not asked again', async () => {
  const tab = new Tab(w)
  await signInAs(tab, w.people.admin.email, PASSWORD)
  const own = workspaceHeaders(tab.cookies.get('octavo_session') ?? '')
  assert.equal((await makeToken(own)).status, 201)
})

test('with a token nothing is asked', async () => {
  const { status } = await w.call('POST', '/user/tokens', { body: { label: 'made by a program' } })
  assert.equal(status, 201)
})

test('a wrong password confirms nothing, nor one that cannot be, nor none', async () => {
  for (const [body, expected] of [
    [{ password: 'not that one' }, [403, 'credentials_wrong']],
    [{ password: 'x'.repeat(600) }, [403, 'credentials_wrong']],
    [{ password: '' }, [403, 'credentials_wrong']],
    [{ password: 'x'.repeat(2000) }, [400, 'body_invalid']],
    [{ token: w.people.admin.token }, [400, undefined]],
    [{ password: 1 }, [400, 'body_invalid']],
    [{}, [400, undefined]],
  ] as const)
    assert.deepEqual(refusalOf(await confirm(headers, body)), expected, JSON.stringify(body).slice(0, 60))
  assert.deepEqual(refusalOf(await makeToken(headers)), [403, 'confirm_identity'])
})

test('guessing locks the session, and neither another one nor signing in', async () => {
  const own = await begin('create')
  const tries = await Promise.all(
    Array.from({ length: TRIES_MAX + 5 }, () => confirm(own, { password: 'not that one' })),
  )
  assert.equal(tries.filter(({ status }) => status === 403).length, TRIES_MAX)
  const locked = await confirm(own, { password: PASSWORD })
  assert.equal(locked.status, 429)
  assert.equal(locked.headers['retry-after'], String(LOCK_MINUTES * 60))
  const told = await w.services.db
    .selectFrom('events')
    .select('payload')
    .where('type', '=', 'sign_in.locked')
    .where('actor_id', 'is', null)
    .execute()
  assert.ok(told.some(({ payload }) => payload.user === w.people.create.id))
  assert.equal((await confirm(await begin('create'), { password: PASSWORD })).status, 200)
  assert.equal((await signInAs(new Tab(w), w.people.create.email, PASSWORD)).status, 303)
})

test('guesses of strangers for the address do not keep somebody from confirming', async () => {
  for (let time = 0; time <= TRIES_MAX; time += 1)
    await signInAs(new Tab(w), w.people.edit.email, 'a guess of mine')
  assert.equal((await confirm(await begin('edit'), { password: PASSWORD })).status, 200)
})

test('a session that was begun with a token is confirmed by that token alone', async () => {
  const { body: token } = await w.call('POST', '/user/tokens', {
    as: 'edit',
    body: { label: 'signed in with' },
  })
  const { body: other } = await w.call('POST', '/user/tokens', { as: 'edit', body: { label: 'another' } })
  const own = await begin('edit', { method: 'token', tokenId: token.id })
  assert.equal((await call(own, 'GET', '/user/session')).body.confirmation.by, 'token')
  for (const wrong of [other.token, w.people.admin.token, 'unknown'])
    assert.deepEqual(refusalOf(await confirm(own, { token: wrong })), [403, 'credentials_wrong'])
  assert.equal((await confirm(own, { password: PASSWORD })).status, 400)
  assert.deepEqual(refusalOf(await makeToken(own)), [403, 'confirm_identity'])
  assert.equal((await confirm(own, { token: token.token })).status, 200)
  assert.equal((await makeToken(own)).status, 201)
})

test('a session of an identity provider is confirmed there, and by no password', async () => {
  for (const session of [{ method: 'oidc' }, { method: 'saml', organizationId: w.organizationId }] as const) {
    const own = await begin('admin', session)
    assert.deepEqual(refusalOf(await confirm(own, { password: PASSWORD })), [403, 'confirm_at_provider'])
    assert.deepEqual((await call(own, 'GET', '/user/session')).body.confirmation, {
      until: null,
      by: 'provider',
    })
  }
})

test('the password is not sent where answers are kept for repeated requests', async () => {
  const keyed = { ...headers, 'idempotency-key': '1' }
  assert.equal((await confirm(keyed, { password: PASSWORD })).status, 200)
  const kept = await w.services.db
    .selectFrom('idempotency_keys')
    .select('state')
    .where('user_id', '=', w.people.admin.id)
    .execute()
  assert.deepEqual(kept, [])
})

test('confirming is told, with the session and how', async () => {
  const { body } = await confirm(headers, { password: PASSWORD })
  const events = await w.services.db
    .selectFrom('events')
    .select(['actor_id', 'source', 'payload'])
    .where('type', '=', 'session.confirmed')
    .execute()
  assert.deepEqual(
    events.filter(({ payload }) => payload.session === body.id),
    [{ actor_id: w.people.admin.id, source: 'ui', payload: { session: body.id, by: 'password' } }],
  )
})

test('signing out ends the session and takes the cookie away', async () => {
  const { status, headers: answered } = await call(headers, 'POST', '/user/session/sign-out')
  assert.equal(status, 204)
  assert.match(
    String(answered['set-cookie']),
    /^octavo_session=; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0$/,
  )
  assert.deepEqual(refusalOf(await call(headers, 'GET', '/user/session')), [401, 'session_expired'])
})

const member = (person: PersonName) => `${org}/members/${w.people[person].id}`

/** What is refused to a session that is not confirmed, and what is not. */
const CASES: readonly (readonly [
  method: string,
  path: string,
  body: object | undefined,
  isSensitive: boolean,
])[] = [
  ['PATCH', member('edit'), { role: 'admin' }, true],
  ['PATCH', member('edit'), { sso: false }, true],
  ['PATCH', member('edit'), { role: 'edit' }, false],
  ['POST', `${org}/invites`, { emails: ['new@people.test'], role: 'admin' }, true],
  ['POST', `${org}/invites`, { emails: [{ email: 'new@people.test', role: 'admin' }], role: 'read' }, true],
  ['POST', `${org}/invites`, { emails: ['new@people.test'], role: 'read' }, false],
  ['POST', `${org}/link-invites`, { role: 'admin' }, true],
  ['POST', `${org}/link-invites`, { role: 'read' }, false],
  ['PATCH', org, { defaultRole: 'admin' }, true],
  ['PATCH', org, { emailDomains: [] }, true],
  ['PATCH', org, { title: 'A world' }, false],
  ['POST', `${org}/saml`, { label: 'Staff' }, true],
  ['POST', `${org}/scim/tokens`, { label: 'Directory' }, true],
  ['POST', `${org}/webhooks`, { url: 'http://127.0.0.1:9/hook' }, true],
  ['POST', `${org}/spaces`, { visibility: 'public' }, true],
  ['POST', `${org}/spaces`, { visibility: 'private' }, false],
]

test('making an admin, opening a door or reading its key, and sending events out ask; everyday work does not', async () => {
  const { id } = await w.createSpace()
  const space = `/spaces/${id}`
  const { body: collection } = await w.call('POST', `${org}/collections`, { body: { title: 'Guides' } })
  const { body: made } = await w.call('PUT', `${org}/teams`, { body: { title: 'Editors' } })
  const team = `${org}/teams/${made.id}`
  const { body: shared } = await w.call('POST', `${space}/share-links`, { body: { name: 'Partners' } })
  const link = `${space}/share-links/${shared.id}`
  const { body: invitation } = await w.call('POST', `${org}/link-invites`, { body: { role: 'admin' } })
  const invite = `${org}/link-invites/${invitation.id}`
  const cases: typeof CASES = [
    ...CASES,
    ['PATCH', space, { visibility: 'public' }, true],
    ['PATCH', space, { visibility: 'unlisted' }, true],
    ['PATCH', space, { visibility: 'share-link' }, true],
    ['POST', `${space}/share-links`, { name: 'Auditors' }, true],
    ['PATCH', link, { active: false }, false],
    ['PATCH', link, { active: true }, true],
    ['PATCH', link, { name: 'Partners' }, true],
    ['GET', link, undefined, true],
    ['GET', `${org}/link-invites`, undefined, true],
    ['GET', invite, undefined, false],
    ['PATCH', invite, { expiresAt: null }, true],
    ['GET', `${space}/share-links`, undefined, true],
    ['PATCH', space, { visibility: 'visitor-auth' }, true],
    ['GET', `${space}/publishing/auth`, undefined, true],
    ['PATCH', `${space}/publishing/auth`, { fallbackURL: null }, true],
    ['POST', `${space}/publishing/auth/regenerate`, undefined, true],
    ['GET', `${space}/content-tokens`, undefined, false],
    ['PUT', `${org}/teams`, { title: 'Writers', members: [w.people.read.id] }, true],
    ['PUT', `${org}/teams`, { title: 'Writers' }, false],
    ['PUT', `${team}/members`, { add: [w.people.read.id] }, true],
    ['PUT', `${team}/members`, { memberships: { [w.people.read.id]: { role: 'owner' } } }, true],
    ['PUT', `${team}/members`, { add: [], memberships: {}, remove: [w.people.read.id] }, false],
    ['PUT', `${team}/members/${w.people.read.id}`, undefined, true],
    ['DELETE', `${team}/members/${w.people.read.id}`, undefined, false],
    ['PATCH', space, { defaultLevel: 'admin' }, true],
    ['PATCH', space, { title: 'Private', visibility: 'private' }, false],
    ['PATCH', `/collections/${collection.id}`, { defaultLevel: 'admin' }, true],
    ['PATCH', `/collections/${collection.id}`, { title: 'Manuals' }, false],
    ['POST', `${space}/permissions`, { users: [w.people.read.id], role: 'admin' }, true],
    ['POST', `${space}/permissions`, { users: [w.people.read.id], role: 'edit' }, false],
    ['PATCH', `${space}/permissions/users/${w.people.read.id}`, { role: 'admin' }, true],
    ['PATCH', `${space}/permissions/users/${w.people.read.id}`, { role: 'read' }, false],
    ['POST', `${space}/content-tokens`, undefined, true],
    ['DELETE', space, undefined, true],
  ]
  for (const [method, path, body, isSensitive] of cases) {
    const answer = await call(headers, method, path, body)
    const about = `${method} ${path} ${JSON.stringify(body)}`
    if (isSensitive) assert.deepEqual(refusalOf(answer), [403, 'confirm_identity'], about)
    else assert.ok(answer.status < 300, `${about}: ${answer.text}`)
  }
  await confirm(headers, { password: PASSWORD })
  for (const [method, path, body] of cases) {
    const answer = await call(headers, method, path, body)
    assert.ok(answer.status < 300, `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`)
  }
})
