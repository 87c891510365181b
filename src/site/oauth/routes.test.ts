// A person lets a program act for them: the page, and what comes of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allow,
  allowed,
  authorizeUrl,
  codeOf,
  exchange,
  REDIRECT,
  register,
  renew,
  tabOf,
} from '../../../test/support/programs.ts'
import { cookieOf, givePassword, signedIn, Tab } from '../../../test/support/sessions.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()

const userOf = (access: string) => w.call('GET', '/user', { as: { token: access } })

test('a person who allows a program gives it a code, and the code gives it their rights within what it may', async () => {
  const client = await register(w)
  const tab = await tabOf(w, 'edit')
  const url = authorizeUrl(client)
  const page = await tab.get(url)
  assert.match(page.text, /Let Assistant act for you\?/)
  assert.match(page.text, /assistant\.test/)
  const answer = await tab.post(url, { answer: 'allow', level: 'comment' })
  const location = new URL(answer.location ?? '')
  assert.equal(location.origin + location.pathname, REDIRECT)
  assert.equal(location.searchParams.get('state'), 'a state')
  assert.equal(location.searchParams.get('iss'), 'http://octavo.test')
  const { status, body } = await exchange(w, client, codeOf(answer))
  assert.equal(status, 200)
  assert.deepEqual([body.token_type, body.expires_in], ['Bearer', 3600])
  assert.ok(body.scope.split(' ').includes('comment:write'))
  assert.ok(!body.scope.split(' ').includes('change-request:write'))
  assert.equal((await userOf(body.access_token)).body.id, w.people.edit.id)
  const space = await w.createSpace()
  const refused = await w.call('POST', `/spaces/${space.id}/change-requests`, {
    as: { token: body.access_token },
    body: { subject: 'More than it may' },
  })
  assert.equal(refused.status, 403)
})

test('a person who refuses sends the program an error and gives it nothing', async () => {
  const tab = await tabOf(w, 'edit')
  const url = authorizeUrl(await register(w))
  await tab.get(url)
  const { location = '' } = await tab.post(url, { answer: 'deny', level: 'propose' })
  const answer = new URL(location).searchParams
  assert.deepEqual(
    [answer.get('error'), answer.get('code'), answer.get('state')],
    ['access_denied', null, 'a state'],
  )
})

test('without a session the browser signs in first and comes back', async () => {
  const tab = new Tab(w)
  const url = authorizeUrl('nobody')
  const { status, location } = await tab.get(url)
  assert.equal(status, 303)
  assert.equal(new URL(location ?? '', 'http://octavo.test').searchParams.get('next'), url)
})

test('no page may frame the question, and it is kept by nobody', async () => {
  const { headers } = await (await tabOf(w, 'edit')).get(authorizeUrl(await register(w)))
  assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/)
  assert.match(String(headers['content-security-policy']), /form-action 'self' https:\/\/assistant\.test/)
  assert.equal(headers['x-frame-options'], 'DENY')
  assert.equal(headers['cache-control'], 'no-store')
})

test('the form counts only from its own page, with its own token', async () => {
  const url = authorizeUrl(await register(w))
  const tab = await tabOf(w, 'edit')
  await tab.get(url)
  const fields = { answer: 'allow', level: 'read' }
  assert.equal((await tab.post(url, { ...fields, form: '' })).status, 403)
  assert.equal((await tab.post(url, fields, { origin: 'https://evil.test' })).status, 403)
  const other = await tabOf(w, 'review')
  other.formToken = tab.formToken
  assert.equal((await other.post(url, fields)).status, 403)
})

test('a session that was not just confirmed asks for the password, and a wrong one allows nothing', async () => {
  await givePassword(w, w.people.comment.id, 'a long password of ten words')
  const tab = new Tab(w)
  tab.cookies.set('octavo_session', await signedIn(w, 'comment'))
  const client = await register(w)
  const url = authorizeUrl(client)
  assert.match((await tab.get(url)).text, /autocomplete="current-password"/)
  const without = await tab.post(url, { answer: 'allow', level: 'read' })
  assert.deepEqual([without.status, without.location], [403, undefined])
  const wrong = await tab.post(url, { answer: 'allow', level: 'read', proof: 'another' })
  assert.deepEqual([wrong.status, wrong.location], [403, undefined])
  assert.match(wrong.text, /This is not your password/)
  const right = await tab.post(url, { answer: 'allow', level: 'read', proof: 'a long password of ten words' })
  assert.equal((await exchange(w, client, codeOf(right))).status, 200)
})

test('the page speaks the language that the browser prefers', async () => {
  const text = await germanPage()
  assert.match(text, /Darf Assistant für Sie handeln\?/)
  assert.match(text, /<main[^>]* lang="de"/)
})

async function germanPage(): Promise<string> {
  const url = authorizeUrl(await register(w))
  const headers = { cookie: await cookieOf(w, 'edit'), 'accept-language': 'fr, de-AT;q=0.9, en;q=0.8' }
  return (await w.app.inject({ method: 'GET', url, headers })).payload
}

test('the text of a program is shown as text', async () => {
  const client = await register(w, { client_name: '<b>Bold</b>\u202e"\'' })
  const { text } = await (await tabOf(w, 'edit')).get(authorizeUrl(client))
  assert.ok(!text.includes('<b>Bold'))
  assert.ok(!text.includes('\u202e'))
})

test('an unknown client or another address is refused on the page, and the browser goes nowhere', async () => {
  const tab = await tabOf(w, 'edit')
  const client = await register(w)
  await tab.get(authorizeUrl(client))
  for (const url of [
    authorizeUrl('unknown'),
    authorizeUrl(client, { redirect_uri: 'https://evil.test/callback' }),
    authorizeUrl(client, { redirect_uri: `${REDIRECT}/more` }),
    authorizeUrl(client, { redirect_uri: `${REDIRECT}?x=1` }),
    authorizeUrl(client, { redirect_uri: undefined }),
  ]) {
    const { status, location, text } = await tab.get(url)
    assert.deepEqual([status, location, text.includes('evil.test')], [400, undefined, false], url)
    assert.equal((await tab.post(url, { answer: 'allow', level: 'read' })).status, 400, url)
  }
})

test('a malformed request is refused on the page, with a way back that nobody is sent without asking', async () => {
  const tab = await tabOf(w, 'edit')
  const client = await register(w)
  for (const fields of [
    { response_type: 'token' },
    { code_challenge: undefined },
    { code_challenge_method: 'plain' },
    { code_challenge_method: undefined },
    { resource: 'https://other.test/mcp' },
  ]) {
    const { status, location, text } = await tab.get(authorizeUrl(client, fields))
    assert.deepEqual([status, location], [400, undefined])
    assert.match(text, /href="https:\/\/assistant\.test\/callback\?error=/)
  }
})

test('a program on the machine of the person may listen on any port, and at no other path or name', async () => {
  const tab = await tabOf(w, 'edit')
  const client = await register(w, {
    redirect_uris: ['http://127.0.0.1/callback', 'cursor://acme.docs/callback'],
  })
  for (const uri of ['http://127.0.0.1:43117/callback', 'cursor://acme.docs/callback']) {
    const { status, text } = await tab.get(authorizeUrl(client, { redirect_uri: uri }))
    assert.equal(status, 200, uri)
    assert.match(text, /a program on this computer/)
  }
  for (const uri of [
    'http://127.0.0.1:43117/other',
    'http://localhost:43117/callback',
    'https://127.0.0.1/callback',
  ])
    assert.equal((await tab.get(authorizeUrl(client, { redirect_uri: uri }))).status, 400, uri)
})

test('a session of a narrowed token lets no program act', async () => {
  const { body } = await w.call('POST', '/user/tokens', { body: { label: 'narrow', may: 'merge' } })
  const tab = new Tab(w)
  tab.cookies.set(
    'octavo_session',
    await signedIn(w, 'admin', { method: 'token', tokenId: body.id, confirmedAt: new Date() }),
  )
  assert.equal((await tab.get(authorizeUrl(await register(w)))).status, 400)
})

test('what was asked for bounds what can be allowed', async () => {
  const tab = await tabOf(w, 'edit')
  const url = authorizeUrl(await register(w), { scope: 'space:read organization:read unknown' })
  const page = await tab.get(url)
  assert.ok(page.text.includes('value="read"') && !page.text.includes('value="merge"'))
  assert.equal((await tab.post(url, { answer: 'allow', level: 'merge' })).status, 400)
})

test('a code counts once: sent again it ends everything that it gave', async () => {
  const { client, code, access, refresh } = await allowed(w, 'edit')
  assert.equal((await userOf(access)).status, 200)
  const again = await exchange(w, client, code)
  assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
  assert.equal((await userOf(access)).status, 401)
  assert.equal((await renew(w, client, refresh)).status, 400)
})

test('a code counts only for its client, address, verifier and resource, and is used up by another try', async () => {
  const client = await register(w)
  const other = await register(w)
  for (const [fields, error] of [
    [{ client_id: other }, 'invalid_grant'],
    [{ redirect_uri: 'https://assistant.test/other' }, 'invalid_grant'],
    [{ redirect_uri: undefined }, 'invalid_grant'],
    [{ code_verifier: `${'x'.repeat(43)}` }, 'invalid_grant'],
    [{ code_verifier: '' }, 'invalid_grant'],
    [{ resource: 'https://other.test/mcp' }, 'invalid_target'],
  ] as const) {
    const code = codeOf(await allow(await tabOf(w, 'edit'), authorizeUrl(client)))
    const wrong = await exchange(w, client, code, fields)
    assert.deepEqual([wrong.status, wrong.body.error], [400, error], JSON.stringify(fields))
    assert.equal((await exchange(w, client, code)).status, 400, JSON.stringify(fields))
  }
})

test('an expired code gives nothing', async () => {
  const client = await register(w)
  const code = codeOf(await allow(await tabOf(w, 'edit'), authorizeUrl(client)))
  await w.services.db
    .updateTable('oauth_grants')
    .set({ code_expires_at: new Date(Date.now() - 1000) })
    .where('client_id', '=', client)
    .execute()
  assert.deepEqual((await exchange(w, client, code)).body.error, 'invalid_grant')
})

test('a refresh token gives the next ones once; the one before it ends the grant', async () => {
  const { client, access, refresh } = await allowed(w, 'edit')
  const next = await renew(w, client, refresh)
  assert.equal(next.status, 200)
  assert.equal((await userOf(access)).status, 401)
  assert.equal((await userOf(next.body.access_token)).status, 200)
  assert.deepEqual((await renew(w, client, refresh)).body.error, 'invalid_grant')
  assert.equal((await userOf(next.body.access_token)).status, 401)
  assert.equal((await renew(w, client, next.body.refresh_token)).status, 400)
})

test('a refresh token may be asked for less and never for more, and only by its client', async () => {
  const { client, refresh } = await allowed(w, 'edit', 'comment')
  assert.equal((await renew(w, await register(w), refresh)).status, 400)
  assert.equal(
    (await renew(w, client, refresh, { scope: 'space:read change-request:merge' })).body.error,
    'invalid_scope',
  )
  assert.equal(
    (await renew(w, client, refresh, { resource: 'https://other.test' })).body.error,
    'invalid_target',
  )
  assert.equal((await renew(w, client, refresh, { scope: 'space:read' })).body.scope, 'space:read')
})

test('what was allowed is listed without secrets, and revoking it ends its tokens at once', async () => {
  const { access, refresh, client } = await allowed(w, 'review')
  await w.call('GET', '/user', { as: { token: access } })
  const { body: tokens } = await w.call('GET', '/user/tokens', { as: 'review' })
  assert.ok(tokens.items.every(({ label }: { label: string }) => label !== 'OAuth'))
  const listed = await w.call('GET', '/user/authorizations', { as: 'review' })
  const [one] = listed.body.items
  assert.deepEqual(
    [one.client.name, one.client.host, one.organization],
    ['Assistant', 'assistant.test', null],
  )
  for (const secret of [access, refresh]) assert.ok(!listed.text.includes(secret))
  const foreign = await w.call('DELETE', `/user/authorizations/${one.id}`, { as: 'edit' })
  assert.deepEqual([foreign.status, (await userOf(access)).status], [204, 200])
  assert.equal((await w.call('DELETE', `/user/authorizations/${one.id}`, { as: 'review' })).status, 204)
  assert.equal((await userOf(access)).status, 401)
  assert.equal((await renew(w, client, refresh)).status, 400)
})

test('a token of a program makes no token and allows no other program', async () => {
  const { access } = await allowed(w, 'admin', 'merge')
  const as = { token: access }
  assert.equal((await w.call('POST', '/user/tokens', { as, body: { label: 'more' } })).status, 403)
  assert.equal((await w.call('GET', '/user/authorizations', { as })).status, 403)
})

test('no secret is stored in clear', async () => {
  const { access, refresh, code } = await allowed(w, 'edit')
  const grants = await w.services.db.selectFrom('oauth_grants').selectAll().execute()
  const tokens = await w.services.db.selectFrom('tokens').selectAll().execute()
  const clients = await w.services.db.selectFrom('oauth_clients').selectAll().execute()
  const events = await w.services.db.selectFrom('events').select('payload').execute()
  const stored = JSON.stringify([grants, tokens, clients, events])
  for (const secret of [access, code, ...refresh.slice('octvr_'.length).split('.')])
    assert.ok(!stored.includes(secret) && !stored.includes(Buffer.from(secret).toJSON().data.join(',')))
})
