import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { serverWith } from '../../test/support/server.ts'
import { signedIn, workspaceHeaders } from '../../test/support/sessions.ts'
import { type PersonName, type World, world, worldOn } from '../../test/support/world.ts'
import { newSecret } from '../base/ids.ts'

const w = await world()
const { id: spaceId } = await w.createSpace({ title: 'Private' })
const { id: openId } = await w.createSpace({ title: 'Open', visibility: 'public' })
const secret = await signedIn(w, 'admin')

type Changed = Readonly<Record<string, string | undefined>>

const ask = (changed: Changed = {}, path = `/spaces/${spaceId}`) =>
  w.call('GET', path, { as: null, headers: workspaceHeaders(secret, changed) })
const change = (changed: Changed = {}) =>
  w.call('PATCH', `/spaces/${spaceId}`, {
    as: null,
    headers: workspaceHeaders(secret, changed),
    body: { title: 'Changed' },
  })
const titleNow = async () => (await w.call('GET', `/spaces/${spaceId}`)).body.title

const refusalOf = ({ status, body }: Awaited<ReturnType<World['call']>>) => [status, body?.error?.reason]

test('the workspace reads and writes with the session of its browser', async () => {
  assert.equal((await ask()).body.title, 'Private')
  const { status } = await w.call('PATCH', `/spaces/${spaceId}`, {
    as: null,
    headers: workspaceHeaders(secret),
    body: { title: 'Private' },
  })
  assert.equal(status, 200)
})

test('over plain http, where browsers say nothing of where a request comes from, it does too', async () => {
  assert.equal((await ask({ 'sec-fetch-site': undefined, origin: undefined })).status, 200)
  assert.equal((await ask({ 'sec-fetch-site': undefined })).status, 200)
  assert.equal((await ask({ origin: undefined })).status, 200)
})

test('without its header the cookie opens nothing, whatever else is sent', async () => {
  for (const header of [undefined, '', '0', 'true', '1, 1', '11']) {
    for (const origin of ['http://octavo.test', undefined]) {
      const changed = { 'octavo-workspace': header, origin }
      assert.equal((await ask(changed)).status, 401, header)
      assert.equal((await change(changed)).status, 401, header)
    }
  }
  assert.equal(await titleNow(), 'Private')
})

test('a request of another site or of a neighbouring host has no session', async () => {
  for (const from of [
    'cross-site',
    'same-site',
    'none',
    '',
    'SAME-ORIGIN',
    'same-origin, cross-site',
    'unknown',
  ]) {
    assert.deepEqual(refusalOf(await ask({ 'sec-fetch-site': from })), [401, 'origin_foreign'], from)
    assert.deepEqual(refusalOf(await change({ 'sec-fetch-site': from })), [401, 'origin_foreign'], from)
  }
  assert.equal(await titleNow(), 'Private')
})

const FOREIGN = [
  ...[
    'null',
    '',
    'http://evil.test',
    'http://sub.octavo.test',
    'https://octavo.test',
    'http://octavo.test:81',
  ],
  ...[
    'http://octavo.test.evil.test',
    'http://octavo.test@evil.test',
    'http://user@octavo.test',
    'HTTP://OCTAVO.TEST',
  ],
  ...['http://octavo.test/', 'http://octavo.test, http://evil.test', 'http://octavo.test http://evil.test'],
  ...[
    'http://octavo.test.',
    'http://octavo.test:80',
    'octavo.test',
    'http://localhost',
    'http://127.0.0.1',
    'file://',
  ],
]

test('a request of any other origin has no session, also if the browser says nothing else', async () => {
  for (const origin of FOREIGN)
    for (const from of ['same-origin', undefined]) {
      assert.deepEqual(
        refusalOf(await ask({ origin, 'sec-fetch-site': from })),
        [401, 'origin_foreign'],
        origin,
      )
      assert.deepEqual(
        refusalOf(await change({ origin, 'sec-fetch-site': from })),
        [401, 'origin_foreign'],
        origin,
      )
    }
  assert.equal(await titleNow(), 'Private')
})

test('the host that a request names makes no origin its own', async () => {
  for (const host of ['localhost', '127.0.0.1'])
    assert.deepEqual(refusalOf(await ask({ host, origin: `http://${host}` })), [401, 'origin_foreign'])
  const app = serverWith(w, { isPublicUrlSet: false, publicUrl: 'http://127.0.0.1:4000' })
  const from = async (origin: string, host: string) => {
    const headers = workspaceHeaders(secret, { origin, host, 'sec-fetch-site': undefined })
    return (await app.inject({ url: `/v1/spaces/${spaceId}`, headers })).statusCode
  }
  for (const own of ['127.0.0.1:4000', 'localhost:4000', '[::1]:4000', '127.8.0.1:4000'])
    assert.equal(await from(`http://${own}`, 'anything.test'), 200, own)
  for (const other of [
    'evil.test:4000',
    '192.168.1.5:4000',
    'localhost',
    'localhost:4001',
    'localhost.evil.test:4000',
  ])
    assert.equal(await from(`http://${other}`, other), 401, other)
  assert.equal(await from('https://localhost:4000', 'localhost:4000'), 401)
  await app.close()
})

test('on a host by plain http that is not this machine, the own origin is that of the setting', async () => {
  const app = serverWith(w, { publicUrl: 'http://docs.lan:8080' })
  const headers = (changed: Changed) =>
    workspaceHeaders(secret, { host: 'docs.lan:8080', 'sec-fetch-site': undefined, ...changed })
  const status = async (changed: Changed) =>
    (await app.inject({ url: `/v1/spaces/${spaceId}`, headers: headers(changed) })).statusCode
  assert.equal(await status({ origin: 'http://docs.lan:8080' }), 200)
  assert.equal(await status({ origin: undefined }), 200)
  for (const origin of ['http://docs.lan', 'http://evil.lan:8080', 'http://localhost:8080', 'null'])
    assert.equal(await status({ origin }), 401, origin)
  assert.equal(await status({ origin: undefined, 'octavo-workspace': undefined }), 401)
  await app.close()
})

test('a form, a picture or a link of another page changes and reads nothing', async () => {
  const cookie = `octavo_session=${secret}`
  const send = (method: 'GET' | 'POST', url: string, headers: Record<string, string>, payload?: string) =>
    w.app.inject({
      method,
      url,
      headers: { cookie, ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
  const before = await countEvents()
  for (const type of [
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data',
    'application/json',
  ])
    for (const path of [`/v1/orgs/${w.organizationId}/spaces`, `/v1/spaces/${spaceId}/change-requests`]) {
      const headers = { 'content-type': type, origin: 'http://evil.test', 'sec-fetch-site': 'cross-site' }
      assert.equal((await send('POST', path, headers, '{"title":"Planted"}')).statusCode, 401, type)
    }
  for (const headers of [
    { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    {},
  ])
    assert.equal((await send('GET', `/v1/spaces/${spaceId}`, headers)).statusCode, 401)
  assert.equal(await countEvents(), before)
})

test('no answer lets another origin read it or send the header', async () => {
  const cookie = `octavo_session=${secret}`
  for (const origin of ['http://evil.test', 'http://sub.octavo.test', 'null', 'http://octavo.test'])
    for (const method of ['OPTIONS', 'GET', 'PATCH'] as const) {
      const { headers, statusCode } = await w.app.inject({
        method,
        url: `/v1/spaces/${spaceId}`,
        headers: {
          ...{ cookie, origin, 'octavo-workspace': '1', 'sec-fetch-site': 'cross-site' },
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'octavo-workspace,octavo-person,content-type',
        },
      })
      assert.ok(statusCode >= 400, `${method} of ${origin}`)
      assert.deepEqual(
        Object.keys(headers).filter(name => name.startsWith('access-control')),
        [],
      )
    }
})

test('without a live session the header is refused, also where nobody has to be signed in', async () => {
  const ended = await signedIn(w, 'admin')
  await w.services.db
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('secret_hash', '=', sql<Buffer>`sha256(${ended}::bytea)`)
    .execute()
  const theirs = `octavo_session=${secret}`
  for (const cookie of [
    undefined,
    '',
    'octavo_session=',
    `octavo_session=${newSecret()}`,
    `octavo_session=${ended}`,
    `octavo_session=${w.people.admin.token}`,
    `octavo_session=${'x'.repeat(500)}`,
    `__Host-octavo_session=${secret}`,
    `Octavo_session=${secret}`,
    `octavo_session=${newSecret()}; ${theirs}`,
    `${theirs}; octavo_session=${newSecret()}`,
  ])
    for (const path of [`/spaces/${spaceId}`, `/spaces/${openId}`, '/'])
      assert.deepEqual(refusalOf(await ask({ cookie }, path)), [401, 'session_expired'], `${cookie} ${path}`)
  assert.equal((await ask({ cookie: `a=b; ${theirs}; ${theirs}` })).status, 200)
})

test('a session ends at once when it is signed out of', async () => {
  const own = await signedIn(w, 'read')
  const headers = workspaceHeaders(own)
  const { body: user } = await w.call('GET', '/user', { as: null, headers })
  assert.equal(user.id, w.people.read.id)
  const [session] = (await w.call('GET', '/user/sessions', { as: 'read' })).body.items
  await w.call('DELETE', `/user/sessions/${session.id}`, { as: 'read' })
  assert.deepEqual(refusalOf(await w.call('GET', '/user', { as: null, headers })), [401, 'session_expired'])
})

test('a request for somebody else than the session is of reads and writes nothing, also where nobody has to be signed in', async () => {
  const { read, admin } = w.people
  for (const named of [read.id, 'unknown', '', `${admin.id}, ${read.id}`, admin.id.toUpperCase()]) {
    const changed = { 'octavo-person': named }
    for (const path of [`/spaces/${spaceId}`, `/spaces/${openId}`, '/', '/user', '/stream'])
      assert.deepEqual(refusalOf(await ask(changed, path)), [401, 'other_person'], `${named} ${path}`)
    assert.deepEqual(refusalOf(await change(changed)), [401, 'other_person'], named)
  }
  assert.equal(await titleNow(), 'Private')
  assert.equal((await ask({ 'octavo-person': admin.id })).body.title, 'Private')
  assert.deepEqual(refusalOf(await ask({ 'octavo-person': read.id, cookie: undefined })), [
    401,
    'session_expired',
  ])
})

test('whom a request names means nothing with a token, and opens nothing without the header of the workspace', async () => {
  const { read, admin } = w.people
  const authorization = `Bearer ${read.token}`
  assert.equal((await ask({ authorization, 'octavo-person': admin.id }, '/user')).body.id, read.id)
  assert.equal((await ask({ 'octavo-workspace': undefined, 'octavo-person': admin.id })).status, 401)
})

test('a token wins over a session, valid or not', async () => {
  const userOf = async (authorization: string) => {
    const { status, body } = await ask({ authorization }, '/user')
    return status === 200 ? body.id : status
  }
  assert.equal(await userOf(`Bearer ${w.people.read.token}`), w.people.read.id)
  for (const bad of ['Bearer unknown', 'Basic YTpi', 'Bearer', '']) assert.equal(await userOf(bad), 401, bad)
})

test('a session is of one person and may what they may', async () => {
  for (const [person, status] of [
    ['read', 200],
    ['guest', 404],
    ['stranger', 404],
  ] as const) {
    const headers = workspaceHeaders(await signedIn(w, person as PersonName))
    assert.equal((await w.call('GET', `/spaces/${spaceId}`, { as: null, headers })).status, status, person)
  }
  const headers = workspaceHeaders(await signedIn(w, 'read'))
  const { status } = await w.call('PATCH', `/spaces/${spaceId}`, {
    as: null,
    headers,
    body: { title: 'Mine' },
  })
  assert.equal(status, 403)
})

test('a session of the provider of one organization opens that one alone, and changes nothing of the account', async () => {
  const other = await worldOn(w)
  await w.services.db
    .insertInto('members')
    .values({ organization_id: other.organizationId, user_id: w.people.admin.id, role: 'admin' })
    .execute()
  const { id: elsewhere } = await other.createSpace()
  const headers = workspaceHeaders(
    await signedIn(w, 'admin', { method: 'saml', organizationId: w.organizationId }),
  )
  const read = async (id: string) => (await w.call('GET', `/spaces/${id}`, { as: null, headers })).status
  assert.deepEqual([await read(spaceId), await read(elsewhere)], [200, 404])
  const path = `/users/${w.people.admin.id}`
  const { status } = await w.call('PATCH', path, { as: null, headers, body: { displayName: 'Me' } })
  assert.equal(status, 403)
})

test('a password session makes no token that opens what it does not', async () => {
  const other = await worldOn(w)
  await w.services.db
    .insertInto('members')
    .values({ organization_id: other.organizationId, user_id: w.people.edit.id, role: 'admin', sso: true })
    .execute()
  const headers = workspaceHeaders(await signedIn(w, 'edit', { confirmedAt: new Date() }))
  const make = async (organization?: string) =>
    await w.call('POST', '/user/tokens', { as: null, headers, body: { label: 'mine', organization } })
  assert.equal((await make()).status, 400)
  assert.equal((await make(other.organizationId)).status, 400)
  assert.equal((await make(w.organizationId)).status, 201)
})

test('a session that was begun with a token has its scopes, and makes no token that lasts longer', async () => {
  const soon = new Date(Date.now() + 3_600_000)
  const begin = async (scopes: string[] | null) => {
    const body = { label: 'short', scopes, expiresAt: soon.toISOString() }
    const { body: token } = await w.call('POST', '/user/tokens', { as: 'edit', body })
    return workspaceHeaders(
      await signedIn(w, 'edit', { method: 'token', tokenId: token.id, confirmedAt: new Date() }),
    )
  }
  const narrow = await begin(['space:read'])
  assert.equal((await w.call('GET', `/spaces/${spaceId}`, { as: null, headers: narrow })).status, 200)
  assert.equal((await w.call('GET', '/user/tokens', { as: null, headers: narrow })).status, 403)
  const headers = await begin(null)
  const body = { label: 'mine', organization: w.organizationId }
  const { body: token } = await w.call('POST', '/user/tokens', { as: null, headers, body })
  assert.equal(token.expiresAt, soon.toISOString())
})

test('what happens by a session is told as done in a browser', async () => {
  const { id } = await w.createSpace()
  const headers = workspaceHeaders(secret)
  await w.call('PATCH', `/spaces/${id}`, { as: null, headers, body: { title: 'Told' } })
  const events = await w.services.db
    .selectFrom('events')
    .select(['source', 'actor_id', 'token_id'])
    .where('space_id', '=', id)
    .where('type', '=', 'space.changed')
    .execute()
  assert.deepEqual(events, [{ source: 'ui', actor_id: w.people.admin.id, token_id: null }])
})

test('no answer to a session is one that a cache may give to others', async () => {
  for (const [path, status] of [
    [`/spaces/${spaceId}`, 200],
    [`/spaces/${spaceId}/content`, 200],
    ['/spaces/unknown', 404],
    ['/', 200],
  ] as const) {
    const { headers, ...answer } = await ask({}, path)
    assert.equal(answer.status, status, path)
    assert.equal(headers['cache-control'], 'private, no-cache', path)
    for (const name of ['Authorization', 'Cookie', 'Octavo-Workspace', 'Octavo-Person'])
      assert.ok(headers.vary?.split(', ').includes(name), `${path}: ${headers.vary}`)
  }
  const { headers } = await w.call('GET', `/spaces/${openId}/content`, { as: null })
  assert.match(headers.vary ?? '', /\bCookie\b/)
})

test('git and MCP take no session', async () => {
  const headers = workspaceHeaders(secret)
  const url = `/git/${spaceId}.git/info/refs?service=git-upload-pack`
  assert.equal((await w.app.inject({ url, headers })).statusCode, 401)
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const accept = 'application/json, text/event-stream'
  for (const path of ['/mcp', `/s/${spaceId}/~mcp`]) {
    const answer = await w.app.inject({ method: 'POST', url: path, headers: { ...headers, accept }, payload })
    assert.equal(answer.statusCode, 401, path)
  }
})

const countEvents = async () =>
  Number((await sql<{ count: string }>`select count(*) from events`.execute(w.services.db)).rows[0]?.count)
