// How programs find the sign-in, register, and are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowed, exchange, register, renew } from '../../test/support/programs.ts'
import { world } from '../../test/support/world.ts'
import { purgeOauth } from '../api/oauth/jobs.ts'
import { UNUSED_OF_NETWORK_MAX } from '../api/oauth/registration.ts'

const w = await world()

async function get(url: string) {
  const { statusCode, payload } = await w.app.inject({ method: 'GET', url })
  assert.equal(statusCode, 200, payload)
  return JSON.parse(payload)
}

async function post(url: string, payload: string, type: string, address = '203.0.113.1') {
  const reply = await w.app.inject({
    ...{ method: 'POST', url, payload, remoteAddress: address },
    headers: { 'content-type': type },
  })
  return { status: reply.statusCode, body: JSON.parse(reply.payload), headers: reply.headers }
}

const registering = (metadata: unknown, address?: string) =>
  post('/oauth/register', JSON.stringify(metadata), 'application/json', address)

test('a refused program is told where the metadata is, and the metadata leads to every address', async () => {
  const { statusCode, headers } = await w.app.inject({ method: 'POST', url: '/mcp', payload: {} })
  assert.equal(statusCode, 401)
  const challenge = String(headers['www-authenticate'])
  const [, metadata = ''] = /resource_metadata="http:\/\/octavo\.test([^"]+)"/.exec(challenge) ?? []
  const resource = await get(metadata)
  assert.equal(resource.resource, 'http://octavo.test/mcp')
  assert.deepEqual(await get('/.well-known/oauth-protected-resource'), resource)
  const [issuer] = resource.authorization_servers
  const server = await get('/.well-known/oauth-authorization-server')
  assert.equal(server.issuer, issuer)
  assert.deepEqual(server.code_challenge_methods_supported, ['S256'])
  assert.equal(server.client_id_metadata_document_supported, true)
  assert.deepEqual(server.scopes_supported, resource.scopes_supported)
  assert.ok(!server.scopes_supported.includes('space:write'))
})

test('an unknown token is told from none', async () => {
  const { headers } = await w.app.inject({
    ...{ method: 'POST', url: '/mcp', payload: {} },
    headers: { authorization: 'Bearer octv_unknown' },
  })
  assert.match(String(headers['www-authenticate']), /error="invalid_token"/)
})

test('a registration answers what counts, without a secret', async () => {
  const { status, body } = await registering({
    client_name: 'Assistant',
    redirect_uris: ['https://assistant.test/callback'],
    token_endpoint_auth_method: 'client_secret_post',
    scope: 'everything',
  })
  assert.equal(status, 201)
  assert.deepEqual(
    [body.token_endpoint_auth_method, body.client_secret, body.redirect_uris],
    ['none', undefined, ['https://assistant.test/callback']],
  )
})

test('addresses that a browser would run, read or send unprotected are no redirect addresses', async () => {
  for (const uri of [
    'http://assistant.test/callback',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://assistant.test/x',
    'https://user:word@assistant.test/callback',
    'https://assistant.test/callback#part',
    'https://assistant.test/call back',
    'http://localhost.evil.test/callback',
    'no address',
    `https://assistant.test/${'x'.repeat(2000)}`,
  ]) {
    const { status, body } = await registering({ redirect_uris: [uri] })
    assert.deepEqual([status, body.error], [400, 'invalid_redirect_uri'], uri)
  }
})

test('what is no registration is refused in the form of OAuth, and none is an error of ours', async () => {
  const uris = ['https://assistant.test/callback']
  for (const body of [
    null,
    [],
    'text',
    {},
    { redirect_uris: [] },
    { redirect_uris: 'https://assistant.test/callback' },
    { redirect_uris: Array.from({ length: 100 }, () => uris[0]) },
    { redirect_uris: uris, grant_types: ['client_credentials'] },
    { redirect_uris: uris, response_types: ['token'] },
    { redirect_uris: uris, client_name: 7 },
  ]) {
    const reply = await registering(body)
    assert.equal(reply.status, 400, JSON.stringify(body))
    assert.match(reply.body.error, /^invalid_/)
  }
  for (const [payload, type] of [
    ['{', 'application/json'],
    ['x'.repeat(100_000), 'application/json'],
    ['a=b', 'text/csv'],
  ] as const)
    for (const url of ['/oauth/register', '/oauth/token']) {
      const { status, body } = await post(url, payload, type)
      assert.ok(status >= 400 && status < 500, `${url} ${type} ${status}`)
      assert.equal(typeof body.error, 'string')
    }
})

test('a network that registers without end is stopped, and others are not', async () => {
  const metadata = { redirect_uris: ['https://assistant.test/callback'] }
  for (let count = 0; count < UNUSED_OF_NETWORK_MAX; count++)
    assert.equal((await registering(metadata, '2001:db8:1:2::1')).status, 201)
  const { status, headers } = await registering(metadata, '2001:db8:1:2:3::4')
  assert.equal(status, 429)
  assert.ok(Number(headers['retry-after']) > 0)
  assert.equal((await registering(metadata, '2001:db8:1:3::1')).status, 201)
})

test('what nobody uses is forgotten after a day, and what somebody uses is not', async () => {
  const { client: used } = await allowed(w, 'edit')
  const fresh = await register(w)
  const old = await register(w)
  const { db } = w.services
  await db
    .updateTable('oauth_clients')
    .set({ created_at: new Date(Date.now() - 25 * 3600 * 1000) })
    .where('id', 'in', [old, used])
    .execute()
  await purgeOauth(w.services)
  const left = await db
    .selectFrom('oauth_clients')
    .select('id')
    .where('id', 'in', [old, fresh, used])
    .execute()
  assert.deepEqual(left.map(({ id }) => id).sort(), [fresh, used].sort())
})

test('a grant whose refresh token was not used in time is over', async () => {
  const { client, refresh } = await allowed(w, 'edit')
  const { db } = w.services
  await db
    .updateTable('oauth_grants')
    .set({ refresh_expires_at: new Date(Date.now() - 1000) })
    .where('client_id', '=', client)
    .execute()
  assert.equal((await renew(w, client, refresh)).body.error, 'invalid_grant')
  await purgeOauth(w.services)
  const left = await db.selectFrom('oauth_grants').select('id').where('client_id', '=', client).execute()
  assert.equal(left.length, 0)
})

test('a client gives back its refresh token, and everything ends; anything else is no failure', async () => {
  const { client, access, refresh } = await allowed(w, 'edit')
  const form = 'application/x-www-form-urlencoded'
  const give = (fields: Record<string, string>) =>
    post('/oauth/revoke', new URLSearchParams(fields).toString(), form)
  for (const fields of [{ token: 'unknown' }, {}, { token: refresh, client_id: 'another' }])
    assert.equal((await give(fields as Record<string, string>)).status, 200)
  assert.equal((await w.call('GET', '/user', { as: { token: access } })).status, 200)
  assert.equal((await give({ token: refresh, client_id: client })).status, 200)
  assert.equal((await w.call('GET', '/user', { as: { token: access } })).status, 401)
})

test('what a person allows, and what ends it, is in the audit', async () => {
  const { client, code } = await allowed(w, 'admin')
  await exchange(w, client, code)
  const { body } = await w.call('GET', `/orgs/${w.organizationId}/audit-events?limit=20`)
  const actions = body.items.map(({ action }: { action: string }) => action)
  assert.ok(
    actions.includes('authorization.created') && actions.includes('authorization.deleted'),
    actions.join(),
  )
})
