import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../../test/support/web-bundle.ts'
import { testDatabaseUrl } from '../../../test/support/database.ts'
import { identityProvider } from '../../../test/support/identity-provider.ts'
import { PasserBy } from '../../../test/support/passer-by.ts'
import { honest, toForm } from '../../../test/support/saml-responses.ts'
import { directoryOf, patchOf } from '../../../test/support/scim.ts'
import { world } from '../../../test/support/world.ts'
import { removeOldRequests } from '../../api/sso/requests.ts'
import { makeSigningKey } from '../../api/sso/saml/signing-key.ts'
import { BEGUN } from './routes.ts'

const w = await world()
const idp = await identityProvider({ email: 'ada@people.test', name: 'Ada Lovelace' })
const path = `/orgs/${w.organizationId}`
const space = await w.createSpace({ title: 'Only for members' })
const { body: team } = await w.call('PUT', `${path}/teams`, { body: { title: 'Newcomers' } })
const { body: provider } = await w.call('POST', `${path}/saml`, {
  body: {
    ...{ label: 'Staff', entityID: idp.entityId, ssoURL: idp.ssoUrl, certificate: idp.key.certificate },
    ...{ defaultRole: 'edit', defaultTeam: team.id },
  },
})
const start = new URL(provider.service.startURL).pathname
const metadata = await w.app.inject({ url: new URL(provider.service.entityID).pathname })
idp.trust(metadata.payload)

const principalOf = (browser: PasserBy) =>
  w.services.principals.findSession(browser.cookies.get('octavo_session') ?? '')

test('somebody new signs in, becomes a member with the default role and team, and lands where they wanted', async () => {
  idp.person = { email: 'ada@people.test', name: 'Ada Lovelace' }
  const browser = new PasserBy(w)
  const landed = await browser.visit(`${start}?next=/s/${space.id}`)
  assert.equal(landed.url, `http://octavo.test/s/${space.id}`, landed.text)
  assert.match(landed.text, /Only for members/)
  const principal = await principalOf(browser)
  assert.equal(principal?.user.email, 'ada@people.test')
  assert.equal(principal?.user.display_name, 'Ada Lovelace')
  const { body: member } = await w.call('GET', `${path}/members/${principal?.user.id}`)
  assert.deepEqual([member.role, member.sso, member.teams], ['edit', true, 1])
})

test('a member signs in again and stays what they are', async () => {
  const { id, email } = w.people.read
  idp.person = { email: email.toUpperCase(), name: 'Somebody else' }
  const browser = new PasserBy(w)
  assert.equal((await browser.visit(start)).url, 'http://octavo.test/w')
  const principal = await principalOf(browser)
  assert.equal(principal?.user.id, id)
  assert.notEqual(principal?.user.display_name, 'Somebody else')
  const { body: member } = await w.call('GET', `${path}/members/${id}`)
  assert.deepEqual([member.role, member.sso, member.teams], ['read', false, 0])
})

test('the session of an organization’s provider opens this organization and no other', async () => {
  const { id, email } = w.people.edit
  const { body: other } = await w.call('POST', '/orgs', { as: 'edit', body: { title: 'Of their own' } })
  const { body: secret } = await w.call('POST', `/orgs/${other.id}/spaces`, { as: 'edit' })
  idp.person = { email }
  const browser = new PasserBy(w)
  await browser.visit(start)
  const principal = await principalOf(browser)
  assert.equal(principal?.user.id, id)
  assert.deepEqual([...(principal?.memberships.keys() ?? [])], [w.organizationId])
  assert.equal((await browser.step(`/s/${secret.id}`)).status, 404)
})

test('a user known elsewhere joins, and an organization says nothing about their address', async () => {
  const { id, email } = w.people.stranger
  idp.person = { email }
  const browser = new PasserBy(w)
  await browser.visit(start)
  const { body: member } = await w.call('GET', `${path}/members/${id}`)
  assert.deepEqual([member.role, member.sso, member.teams], ['edit', true, 1])
  const user = await w.services.db
    .selectFrom('users')
    .select('email_verified_at')
    .where('id', '=', id)
    .executeTakeFirst()
  assert.equal(user?.email_verified_at, null)
})

test('a person whom the directory of the organization knows by another address or name is that member', async () => {
  const directory = await directoryOf(w, w.organizationId, 'known')
  const { id } = await directory.person({ displayName: 'From the directory' })
  const renamed = 'renamed@people.test'
  const patch = patchOf({ op: 'replace', path: 'emails[type eq "work"].value', value: renamed })
  await directory.call('PATCH', `/Users/${id}`, patch)
  idp.person = { email: renamed, name: 'From the provider' }
  const browser = new PasserBy(w)
  await browser.visit(start)
  const { user } = (await principalOf(browser)) ?? assert.fail('they are signed in')
  assert.deepEqual([user.id, user.display_name], [id, 'From the directory'])
  await directory.call('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }))
  assert.deepEqual([...((await principalOf(browser))?.memberships.keys() ?? [])], [], 'at once')
  assert.equal((await new PasserBy(w).visit(start)).status, 403)
})

test('what a directory of another organization says of an address signs nobody in here', async () => {
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Elsewhere' } })
  const { id } = await (await directoryOf(w, other.id, 'elsewhere')).person({
    emails: [{ value: 'claimed@people.test', type: 'work', primary: true }],
    userName: 'claimed@people.test',
  })
  const patch = patchOf({ op: 'replace', path: 'userName', value: w.people.review.email })
  await (await directoryOf(w, other.id)).call('PATCH', `/Users/${id}`, patch)
  idp.person = { email: w.people.review.email }
  const browser = new PasserBy(w)
  await browser.visit(start)
  assert.equal((await principalOf(browser))?.user.id, w.people.review.id)
})

test('a disabled member is refused in words', async () => {
  const { id, email } = w.people.comment
  await w.call('PATCH', `${path}/members/${id}`, { body: { disabled: true } })
  idp.person = { email }
  const browser = new PasserBy(w)
  const seen = await browser.visit(start)
  assert.equal(seen.status, 403)
  assert.match(seen.text, /membership of this organization is disabled/)
  assert.equal(await principalOf(browser), undefined)
})

test('signing in emits who joined, and where the session came from', async () => {
  idp.person = { email: 'told@people.test' }
  const browser = new PasserBy(w)
  await browser.visit(start)
  const { user } = (await principalOf(browser)) ?? assert.fail('they are signed in')
  const events = await w.services.db
    .selectFrom('events')
    .select(['type', 'organization_id', 'source', 'address', 'payload'])
    .where('actor_id', '=', user.id)
    .orderBy('type')
    .execute()
  assert.deepEqual(
    events.map(({ type, organization_id, source, address }) => [type, organization_id, source, address]),
    ['member.joined', 'session.begun', 'team.members_changed'].map(type => [
      ...[type, w.organizationId, 'ui', '127.0.0.1'],
    ]),
  )
  const [joined, begun] = events.map(({ payload }) => payload as { how?: string; method?: string })
  assert.deepEqual([joined?.how, begun?.method], ['saml', 'saml'])
})

test('the identity provider refuses a request that was changed on its way', async () => {
  const asked = await new PasserBy(w).step(start)
  const location = asked.headers.location ?? ''
  assert.match(location, /[?&]SigAlg=.*rsa-sha256/)
  const response = await fetch(location.replace(/RelayState=\w/, 'RelayState=X'))
  assert.equal(response.status, 400)
})

/** A sign-in that waits for its answer. `told`: what an honest answer says. */
async function asking(browser = new PasserBy(w), email = 'ada@people.test') {
  const asked = await browser.step(start)
  const requestId = new URL(asked.headers.location ?? '').searchParams.get('RelayState') ?? ''
  const { acsURL, entityID } = provider.service
  const told = { acsURL, audience: entityID, issuer: idp.entityId, requestId, email }
  const post = (xml: string, by = browser, RelayState = requestId) =>
    by.step(new URL(acsURL).pathname, { SAMLResponse: toForm(xml), RelayState }, true)
  return { browser, requestId, told, post, answer: honest(told, idp.key) }
}

test('an account stays with the person of a persistent NameID, whoever has their address then', async () => {
  const nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
  const signIn = async (nameId: string, email: string) => {
    const { browser, told, post } = await asking()
    const brought = await post(honest(told, idp.key, { nameIdFormat, nameId, attributes: { email } }))
    const seen = await browser.visit(brought.headers.location ?? '')
    return { user: (await principalOf(browser))?.user.id, ...seen }
  }
  const first = await signIn('one', 'grace@people.test')
  assert.ok(first.user)
  assert.equal((await signIn('one', 'hopper@people.test')).user, first.user)
  const other = await signIn('two', 'grace@people.test')
  assert.deepEqual([other.user, other.status], [undefined, 403])
  assert.match(other.text, /grace@people\.test belongs to somebody else of this identity provider/)
  const { lastFailure } = (await w.call('GET', `${path}/saml/${provider.id}`)).body
  assert.match(lastFailure.reason, /email address … belongs/, 'their address is for them alone')
  assert.notEqual((await signIn('two', 'murray@people.test')).user, undefined)
})

test('an answer is good for one sign-in', async () => {
  const { browser, post, answer } = await asking()
  const first = await post(answer)
  assert.equal(first.status, 303)
  assert.equal((await post(answer)).status, 403)
  assert.equal((await browser.visit(first.headers.location ?? '')).status, 200)
  assert.equal((await browser.step(first.headers.location ?? '')).status, 403)
  assert.equal((await post(answer)).status, 403)
})

test('of answers that come at once one is good', async () => {
  const { post, answer } = await asking()
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => post(answer)))).map(one => one.status)
  assert.deepEqual(statuses.sort(), [303, ...Array(7).fill(403)])
})

test('of browsers that claim one session at once, one gets it', async () => {
  const { browser, post, answer } = await asking()
  const { headers } = await post(answer)
  const all = await Promise.all(Array.from({ length: 6 }, () => browser.step(headers.location ?? '')))
  assert.deepEqual(all.map(one => one.status).sort(), [303, ...Array(5).fill(403)])
})

test('an assertion that was used answers no other request either', async () => {
  const one = await asking()
  const odd = { assertionId: 'again' }
  assert.equal((await one.post(honest(one.told, idp.key, odd))).status, 303)
  const two = await asking()
  assert.equal((await two.post(honest(two.told, idp.key, odd))).status, 403)
})

test('the answer to another request is refused', async () => {
  const [one, two] = [await asking(), await asking()]
  const seen = await two.post(one.answer)
  assert.equal(seen.status, 403)
  assert.match(seen.text, /does not answer this request/)
})

test('an answer that nobody asked for is refused', async () => {
  const { told, post } = await asking()
  const browser = new PasserBy(w)
  for (const RelayState of ['', 'r0', 'x'.repeat(5000), "' or 1=1", 'r\u0000']) {
    const seen = await post(honest({ ...told, requestId: RelayState || 'r0' }, idp.key), browser, RelayState)
    assert.equal(seen.status, 403, RelayState.slice(0, 20))
    assert.match(seen.text, /was not expected/)
  }
})

test('the answer to a request of one browser signs in no other', async () => {
  const { browser, post, answer } = await asking()
  const { headers } = await post(answer)
  const other = new PasserBy(w)
  for (const secret of [undefined, 'x'.repeat(43)]) {
    if (secret !== undefined) other.cookies.set('octavo_sso', secret)
    const seen = await other.step(headers.location ?? '')
    assert.equal(seen.status, 403)
    assert.match(seen.text, /begun in another browser/)
    assert.equal(other.cookies.has('octavo_session'), false)
  }
  assert.equal((await browser.step(headers.location ?? '')).status, 303)
})

test('an attacker who has somebody else answer their request is not signed in as them', async () => {
  const { browser: mallory, requestId, told, answer } = await asking(new PasserBy(w), 'ada@people.test')
  const ada = new PasserBy(w)
  const acs = new URL(told.acsURL).pathname
  const brought = await ada.step(acs, { SAMLResponse: toForm(answer), RelayState: requestId }, true)
  assert.equal(brought.status, 303)
  // Mallory knows what she asked, and has its cookie; only Ada gets the address of the answer
  assert.ok(!brought.headers.location?.includes(requestId))
  assert.equal((await mallory.step(`/sso/finish?request=${requestId}`)).status, 403)
  assert.equal((await ada.step(brought.headers.location ?? '')).status, 403)
  for (const browser of [ada, mallory]) assert.equal(browser.cookies.has('octavo_session'), false)
})

test('an answer that is refused is not tried again', async () => {
  const { told, post, answer } = await asking()
  assert.equal((await post(answer.replace(told.email, 'eve@evil.test'))).status, 403)
  assert.equal((await post(answer)).status, 403)
})

test('a request waits a while and no longer, for its answer and for its browser', async () => {
  const age = (id: string) =>
    w.services.db
      .updateTable('sso_requests')
      .set({ created_at: new Date(Date.now() - 16 * 60_000) })
      .where('id', '=', id)
      .execute()
  const one = await asking()
  await age(one.requestId)
  assert.equal((await one.post(one.answer)).status, 403)
  const two = await asking()
  const { headers } = await two.post(two.answer)
  await age(new URL(headers.location ?? '', 'http://octavo.test').searchParams.get('request') ?? '')
  assert.equal((await two.browser.step(headers.location ?? '')).status, 403)
})

test('a user whom another site sends to sign in is asked first, and stays signed in as before until then', async () => {
  idp.person = { email: 'ada@people.test' }
  const browser = new PasserBy(w)
  await browser.visit(start)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const sent = (url: string) =>
    w.app.inject({ url, headers: { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } })
  const asked = await sent(`${start}?next=/s/${space.id}`)
  assert.equal(asked.statusCode, 200)
  assert.equal(asked.headers['set-cookie'], undefined)
  assert.match(asked.payload, /no longer as <strong dir="auto">Ada Lovelace/)
  assert.ok(asked.payload.includes(new URL(idp.ssoUrl).host))
  assert.notEqual(await principalOf(browser), undefined)
  const href = /class="button button-primary" href="([^"]+)"/.exec(asked.payload)?.[1] ?? ''
  assert.equal((await browser.visit(href)).url, `http://octavo.test/s/${space.id}`)
  assert.equal((await sent('/sso/saml/nowhere/start')).statusCode, 404)
})

test('two tabs of one browser sign in beside each other', async () => {
  const browser = new PasserBy(w)
  const [one, two] = [await asking(browser), await asking(browser)]
  const answers = [await two.post(two.answer), await one.post(one.answer)]
  for (const { headers } of answers) assert.equal((await browser.step(headers.location ?? '')).status, 303)
})

test('after signing in the browser lands on this server', async () => {
  for (const next of ['https://evil.test/', '//evil.test', '/\\evil.test']) {
    const browser = new PasserBy(w)
    const { url } = await browser.visit(`${start}?next=${encodeURIComponent(next)}`)
    assert.equal(new URL(url).origin, 'http://octavo.test', next)
  }
})

test('an answer of another organization’s provider is refused here', async () => {
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Other' } })
  const { body: theirs } = await w.call('POST', `/orgs/${other.id}/saml`, {
    body: { label: 'Theirs', entityID: idp.entityId, ssoURL: idp.ssoUrl, certificate: idp.key.certificate },
  })
  const { post, told } = await asking()
  const { acsURL, entityID } = theirs.service
  const seen = await post(honest({ ...told, acsURL, audience: entityID }, idp.key))
  assert.equal(seen.status, 403)
  // nor is a request that was asked here answered there
  const mine = await asking()
  const there = await mine.browser.step(
    new URL(acsURL).pathname,
    { SAMLResponse: toForm(mine.answer), RelayState: mine.requestId },
    true,
  )
  assert.equal(there.status, 403)
  // which takes nothing from it
  assert.equal((await mine.post(mine.answer)).status, 303)
})

test('more than an answer can be is refused before it is read', async () => {
  const { requestId } = await asking()
  const seen = await new PasserBy(w).step(
    new URL(provider.service.acsURL).pathname,
    { SAMLResponse: 'A'.repeat(300 * 1024), RelayState: requestId },
    true,
  )
  assert.equal(seen.status, 413)
})

test('a body that is not a form is refused', async () => {
  for (const contentType of ['application/json', 'text/xml', 'multipart/form-data; boundary=x']) {
    const { statusCode } = await w.app.inject({
      method: 'POST',
      url: new URL(provider.service.acsURL).pathname,
      headers: { 'content-type': contentType },
      payload: '{}',
    })
    assert.equal(statusCode, 415, contentType)
  }
})

test('there is nothing at the address of a provider that is not there, or not set up', async () => {
  const { body: pending } = await w.call('POST', `${path}/saml`, { body: { label: 'Pending' } })
  for (const id of ['nowhere', 'a%00b', pending.id]) {
    assert.equal((await new PasserBy(w).step(`/sso/saml/${id}/start`)).status, 404, id)
    assert.equal((await new PasserBy(w).step(`/sso/saml/${id}/acs`, { RelayState: 'r0' })).status, 404, id)
  }
  const read = await w.app.inject({ url: `/sso/saml/${pending.id}/metadata` })
  assert.equal(read.statusCode, 200)
  assert.match(String(read.headers['content-type']), /^application\/samlmetadata\+xml/)
  assert.equal((await w.app.inject({ url: '/sso/saml/nowhere/metadata' })).statusCode, 404)
})

test('the metadata say what an identity provider needs, the same each time', async () => {
  const again = await w.app.inject({ url: new URL(provider.service.entityID).pathname })
  assert.equal(again.payload, metadata.payload)
  assert.match(metadata.payload, /AuthnRequestsSigned="true"/)
  assert.match(metadata.payload, /WantAssertionsSigned="true"/)
  assert.ok(metadata.payload.includes(`Location="${provider.service.acsURL}"`))
  assert.ok(metadata.payload.includes(`entityID="${provider.service.entityID}"`))
  assert.match(metadata.payload, /<ds:X509Certificate>/)
})

test('while the identity provider changes its key both are good, and afterwards the new one alone', async () => {
  const former = idp.key
  const next = makeSigningKey()
  const one = `${path}/saml/${provider.id}`
  idp.person = { email: 'ada@people.test' }
  const signIn = async () => (await new PasserBy(w).visit(start)).status
  await w.call('PATCH', one, { body: { certificate: former.certificate + next.certificate } })
  assert.equal(await signIn(), 200)
  idp.useKey(next)
  assert.equal(await signIn(), 200)
  await w.call('PATCH', one, { body: { certificate: next.certificate } })
  assert.equal(await signIn(), 200)
  idp.useKey(former)
  assert.equal(await signIn(), 403)
  idp.useKey(next)
})

test('a provider that is deleted signs nobody in, whatever was begun with it', async () => {
  const { body: brief } = await w.call('POST', `${path}/saml`, {
    body: { label: 'Brief', entityID: idp.entityId, ssoURL: idp.ssoUrl, certificate: idp.key.certificate },
  })
  const browser = new PasserBy(w)
  const asked = await browser.step(new URL(brief.service.startURL).pathname)
  const requestId = new URL(asked.headers.location ?? '').searchParams.get('RelayState') ?? ''
  const { acsURL, entityID } = brief.service
  const xml = honest({ acsURL, audience: entityID, issuer: idp.entityId, requestId }, idp.key)
  const seen = await browser.step(acsURL, { SAMLResponse: toForm(xml), RelayState: requestId }, true)
  await w.call('DELETE', `${path}/saml/${brief.id}`)
  assert.equal((await browser.step(seen.headers.location ?? '')).status, 403)
})

test('sign-ins begun from one network are bounded, and take no room from others', {
  skip: testDatabaseUrl !== 'embedded' && 'they are counted in memory',
}, async () => {
  const begin = (remoteAddress: string) => w.app.inject({ url: start, remoteAddress })
  for (let count = 0; count < BEGUN.max; count += 1)
    assert.equal((await begin('192.0.2.7')).statusCode, 302, String(count))
  const refused = await begin('192.0.2.7')
  assert.equal(refused.statusCode, 429)
  assert.match(refused.payload, /begun and not ended/)
  assert.equal((await begin('192.0.2.8')).statusCode, 302)
})

test('abandoned sign-ins are removed after a while', async () => {
  const { requestId } = await asking()
  await w.services.db
    .updateTable('sso_requests')
    .set({ created_at: new Date(0) })
    .where('id', '=', requestId)
    .execute()
  await w.services.db
    .updateTable('saml_assertions')
    .set({ expires_at: new Date(0) })
    .execute()
  const kept = await asking()
  await removeOldRequests(w.services.db)
  const requests = await w.services.db.selectFrom('sso_requests').select('id').execute()
  assert.equal(
    requests.some(({ id }) => id === requestId),
    false,
  )
  assert.equal(
    requests.some(({ id }) => id === kept.requestId),
    true,
  )
  assert.deepEqual(await w.services.db.selectFrom('saml_assertions').selectAll().execute(), [])
})
