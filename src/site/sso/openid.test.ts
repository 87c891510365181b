import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../../test/support/web-bundle.ts'
import {
  ASKED,
  CLIENT,
  lyingProvider,
  openIdProvider,
  serverWith,
} from '../../../test/support/openid-provider.ts'
import { PasserBy } from '../../../test/support/passer-by.ts'
import { serverBeside } from '../../../test/support/server.ts'
import { worldOn } from '../../../test/support/world.ts'
import { listLogins } from '../../api/sso/logins.ts'
import { makeSigningKey } from '../../api/sso/saml/signing-key.ts'
import { unbind } from '../../api/sso/unbind.ts'
import { newId } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import { addressGuard } from '../../platform/addresses.ts'

const w = await worldOn(await serverBeside({ OCTAVO_EMAIL_DOMAINS: '*' }))
const start = '/sso/oidc/start'
const domain = `${newId().toLowerCase()}.test`
await w.call('PATCH', `/orgs/${w.organizationId}`, {
  body: { emailDomains: [domain], defaultRole: 'comment' },
})

const serverFor = (issuer: string, other: Partial<Services> = {}) => serverWith(w.services, issuer, other)

const idp = await openIdProvider(true)
const server = serverFor(idp.issuer)
const principalOf = (browser: PasserBy) =>
  w.services.principals.findSession(browser.cookies.get('octavo_session') ?? '')

test('a known user signs in, and keeps their memberships', async () => {
  const { id, email } = w.people.edit
  const space = await w.createSpace()
  idp.person = { email: email.toUpperCase(), email_verified: true, name: 'Somebody else' }
  const browser = new PasserBy(server)
  const landed = await browser.visit(`${start}?next=/s/${space.id}`)
  assert.equal(landed.url, `http://octavo.test/s/${space.id}`, landed.text)
  const principal = await principalOf(browser)
  assert.equal(principal?.user.id, id)
  assert.deepEqual([...(principal?.memberships.entries() ?? [])], [[w.organizationId, 'edit']])
  assert.notEqual(principal?.user.email_verified_at, null)
})

test('somebody new joins no organization that has not proven their mail domain', async () => {
  const unproven = w.services.emailDomains
  const none = serverFor(idp.issuer, { emailDomains: { ...unproven, provenOf: async () => [] } })
  idp.person = { email: `nobody@${domain}`, email_verified: true, name: 'Nobody' }
  const landed = await new PasserBy(none).visit(start)
  assert.match(landed.text, /no organization accepts everybody with an address at/)
})

test('a browser that signs in anew ends the session that it was in', async () => {
  idp.person = { email: w.people.edit.email, email_verified: true }
  const browser = new PasserBy(server)
  await browser.visit(start)
  const before = browser.cookies.get('octavo_session') ?? ''
  assert.notEqual(await w.services.principals.findSession(before), undefined)
  await browser.visit(start)
  assert.equal((await principalOf(browser))?.user.id, w.people.edit.id)
  assert.equal(await w.services.principals.findSession(before), undefined)
})

test('a provider that answers by a form from its own site signs people in, and only the browser that asked', async () => {
  const byForm = serverWith(w.services, idp.issuer, {}, { responseMode: 'form_post', scopes: 'openid email' })
  idp.person = { email: w.people.edit.email, email_verified: true }
  const browser = new PasserBy(byForm)
  const asked = await browser.step(start)
  const query = new URL(asked.headers.location ?? '').searchParams
  assert.deepEqual([query.get('response_mode'), query.get('scope')], ['form_post', 'openid email'])
  const { text } = await browser.visit(asked.headers.location ?? '')
  const fields = Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="(.*?)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  const posted = await browser.step('/sso/oidc/callback', { ...fields, user: '{"name":{}}' }, true)
  assert.equal(posted.status, 303)
  const next = new URL(posted.headers.location ?? '', 'http://octavo.test')
  assert.deepEqual([...next.searchParams.keys()].sort(), ['code', 'iss', 'state'])
  assert.equal((await new PasserBy(byForm).visit(next.href)).status, 403)
  const landed = await browser.visit(next.href)
  assert.equal(landed.status, 200, landed.text)
  assert.equal((await principalOf(browser))?.user.id, w.people.edit.id)
})

test('somebody new whose mail domain an organization takes in becomes its member', async () => {
  idp.person = { email: `ada@${domain}`, email_verified: true, name: 'Ada Lovelace' }
  const browser = new PasserBy(server)
  await browser.visit(start)
  const principal = await principalOf(browser)
  assert.equal(principal?.user.display_name, 'Ada Lovelace')
  assert.deepEqual([...(principal?.memberships.entries() ?? [])], [[w.organizationId, 'comment']])
})

test('somebody new of no mail domain is refused, and nothing is kept of them', async () => {
  const email = 'eve@elsewhere.test'
  idp.person = { email, email_verified: true }
  const browser = new PasserBy(server)
  const seen = await browser.visit(start)
  assert.equal(seen.status, 403)
  assert.match(seen.text, /no organization accepts everybody with an address at elsewhere\.test/)
  assert.equal(await principalOf(browser), undefined)
  const user = await w.services.db.selectFrom('users').select('id').where('email', '=', email).execute()
  assert.deepEqual(user, [])
})

test('an address that is not verified there identifies nobody', async () => {
  for (const email_verified of [false, undefined, 'True', 1]) {
    idp.person = { email: w.people.admin.email, email_verified }
    const browser = new PasserBy(server)
    const seen = await browser.visit(start)
    assert.equal(seen.status, 403, String(email_verified))
    assert.match(seen.text, /has not verified|was refused/)
    assert.equal(await principalOf(browser), undefined)
  }
})

test('an address that is verified with the text "true" counts', async () => {
  idp.person = { email: w.people.edit.email, email_verified: 'true' }
  const browser = new PasserBy(server)
  await browser.visit(start)
  assert.equal((await principalOf(browser))?.user.id, w.people.edit.id)
})

test('without an address nobody can say who it is', async () => {
  idp.person = { email_verified: true }
  const seen = await new PasserBy(server).visit(start)
  assert.match(seen.text, /did not send your email address/)
})

test('a refusal of the provider is shown in its words, as text', async () => {
  idp.person = null
  const seen = await new PasserBy(server).visit(start)
  assert.equal(seen.status, 403)
  assert.match(seen.text, /did not let you in \(access_denied\)\. not &lt;b&gt;you/)
})

test('a provider that keeps the address to itself is asked for it', async () => {
  const reserved = await openIdProvider(false)
  reserved.person = { email: w.people.read.email, email_verified: true }
  const browser = new PasserBy(serverFor(reserved.issuer))
  await browser.visit(start)
  assert.equal((await principalOf(browser))?.user.id, w.people.read.id)
})

/** On the way back: the address that the provider sends the browser to. */
async function comingBack(browser: PasserBy): Promise<string> {
  let seen = await browser.step(start)
  for (let hops = 0; hops < 8; hops++) {
    const location = new URL(seen.headers.location ?? '', seen.url)
    if (location.pathname === '/sso/oidc/callback') return location.href
    seen = await browser.step(location.href)
  }
  return assert.fail('the browser does not come back')
}

test('an answer is good once, and for the browser that asked', async () => {
  idp.person = { email: w.people.edit.email, email_verified: true }
  const browser = new PasserBy(server)
  const callback = await comingBack(browser)
  const other = new PasserBy(server)
  await other.step(start)
  for (const somebody of [new PasserBy(server), other]) {
    const seen = await somebody.step(callback)
    assert.equal(seen.status, 403)
    assert.match(seen.text, /begun in another browser/)
    assert.equal(await principalOf(somebody), undefined)
  }
  const all = await Promise.all([1, 2, 3, 4].map(() => browser.step(callback)))
  assert.deepEqual(all.map(({ status }) => status).sort(), [303, 403, 403, 403])
})

test('an answer that comes too late is refused', async () => {
  idp.person = { email: w.people.edit.email, email_verified: true }
  const browser = new PasserBy(server)
  const callback = await comingBack(browser)
  await w.services.db
    .updateTable('sso_requests')
    .set({ created_at: new Date(Date.now() - 16 * 60_000) })
    .execute()
  assert.equal((await browser.step(callback)).status, 403)
  assert.equal(await principalOf(browser), undefined)
})

test('a state that nobody has is refused, whatever it is', async () => {
  for (const query of [
    '',
    'state=x',
    'state=%00',
    `state=${'x'.repeat(5000)}`,
    'error=x',
    'code=1&state=a&state=b',
  ]) {
    const seen = await new PasserBy(server).step(`/sso/oidc/callback?${query}`)
    assert.equal(seen.status, 403, query.slice(0, 20))
  }
})

test('the code of somebody else is refused', async () => {
  const [one, two] = [new PasserBy(server), new PasserBy(server)]
  idp.person = { email: w.people.edit.email, email_verified: true }
  const theirs = new URL(await comingBack(one))
  const mine = new URL(await comingBack(two))
  mine.searchParams.set('code', theirs.searchParams.get('code') ?? '')
  const seen = await two.step(mine.href)
  assert.equal(seen.status, 403)
  assert.equal(await principalOf(two), undefined)
})

/** Who signs in, by the account that their browser has afterwards; or why they do not. */
async function signIn(person: NonNullable<typeof idp.person>, provider = idp, at = server) {
  provider.person = { email_verified: true, ...person }
  const browser = new PasserBy(at)
  const { status, text } = await browser.visit(start)
  return { user: (await principalOf(browser))?.user, status, text }
}

const usersAt = (email: string) =>
  w.services.db.selectFrom('users').select('id').where('email', '=', email).execute()

test('an account stays with the person who first signed in to it, whatever their address becomes', async () => {
  const [sub, email] = [newId(), `first@${domain}`]
  const first = await signIn({ sub, email })
  assert.ok(first.user)
  const moved = `moved@${domain}`
  const again = await signIn({ sub, email: moved })
  assert.deepEqual([again.user?.id, again.user?.email], [first.user.id, email])
  assert.deepEqual(await usersAt(moved), [])
  // also when the new address is that of another account
  const { read } = w.people
  assert.equal((await signIn({ sub, email: read.email })).user?.id, first.user.id)
})

test('an address that is given to somebody else does not give them the account', async () => {
  const email = `shared@${domain}`
  const former = await signIn({ sub: newId(), email })
  assert.ok(former.user)
  const counts = async () => [
    (await w.services.db.selectFrom('users').select('id').execute()).length,
    (await w.services.db.selectFrom('sso_bindings').select('user_id').execute()).length,
  ]
  const before = await counts()
  const sub = newId()
  const next = await signIn({ sub, email: email.toUpperCase() })
  assert.equal(next.status, 403)
  assert.match(next.text, /belongs to somebody else of this identity provider.*octavo unbind/)
  assert.equal(next.user, undefined)
  assert.deepEqual(await counts(), before)
  // until the operator releases it, which binds it to the next
  assert.deepEqual(await unbind(w.services, { email }), { released: 1 })
  assert.equal((await signIn({ sub, email })).user?.id, former.user.id)
  assert.deepEqual(await unbind(w.services, { email }), { released: 1 })
  assert.deepEqual(await unbind(w.services, { email }), { released: 0 })
  await assert.rejects(unbind(w.services, { email: 'nobody@nowhere.test' }), /There is no user/)
})

test('people of another issuer are others, and may have the same account', async () => {
  const other = await openIdProvider(true)
  const there = serverFor(other.issuer)
  const [sub, email] = [newId(), `two@${domain}`]
  const here = await signIn({ sub, email })
  assert.equal((await signIn({ sub: newId(), email }, other, there)).user?.id, here.user?.id)
  assert.equal((await signIn({ sub: newId(), email }, other, there)).status, 403)
  // the same subject is somebody else there
  const stranger = await signIn({ sub, email: `else@${domain}` }, other, there)
  assert.ok(stranger.user)
  assert.notEqual(stranger.user.id, here.user?.id)
})

test('an address is verified by a provider that says it, and by no other one', async () => {
  const [sub, email] = [newId(), `unsure@${domain}`]
  const { user } = await signIn({ sub, email })
  const forget = w.services.db.updateTable('users').set({ email_verified_at: null })
  await forget.where('id', '=', user?.id ?? '').execute()
  assert.equal((await signIn({ sub, email: `sure@${domain}` })).user?.email_verified_at, null)
  assert.notEqual((await signIn({ sub, email })).user?.email_verified_at, null)
})

test('of two people who first sign in with one address at once, one has the account', async () => {
  const email = `at-once@${domain}`
  const coming = []
  for (const sub of [newId(), newId()]) {
    idp.person = { sub, email, email_verified: true }
    const browser = new PasserBy(server)
    coming.push({ browser, callback: await comingBack(browser) })
  }
  const seen = await Promise.all(coming.map(({ browser, callback }) => browser.step(callback)))
  assert.deepEqual(seen.map(({ status }) => status).sort(), [303, 403])
})

test('an account that is deleted leaves nothing bound', async () => {
  const [sub, email] = [newId(), `gone@${domain}`]
  const { user } = await signIn({ sub, email })
  await w.services.db
    .deleteFrom('users')
    .where('id', '=', user?.id ?? '')
    .execute()
  const again = await signIn({ sub, email })
  assert.equal(again.status, 200)
  assert.notEqual(again.user?.id, user?.id)
})

const liar = await lyingProvider({ email: w.people.edit.email, email_verified: true })
const deceived = serverFor(liar.issuer)

test('an ID token is believed when everything in it is right', async () => {
  liar.lie = {}
  const browser = new PasserBy(deceived)
  const seen = await browser.visit(start)
  assert.equal(seen.status, 200, seen.text)
  assert.equal((await principalOf(browser))?.user.id, w.people.edit.id)
})

for (const [name, lie] of [
  ['of another key', { key: 'other' }],
  ['without a signature', { key: 'none' }],
  ['for another nonce', { claims: { nonce: 'another' } }],
  ['without a nonce', { claims: { nonce: undefined } }],
  ['for another client', { claims: { aud: 'another' } }],
  ['of another issuer', { claims: { iss: 'https://another.test' } }],
  ['that has expired', { claims: { exp: 1, iat: 0 } }],
  ['without a subject', { claims: { sub: undefined } }],
] as const) {
  test(`an ID token ${name} is refused`, async () => {
    liar.lie = lie as typeof liar.lie
    const browser = new PasserBy(deceived)
    const seen = await browser.visit(start)
    assert.equal(seen.status, 403)
    assert.match(seen.text, /was refused/)
    assert.equal(await principalOf(browser), undefined)
  })
}

test('a provider that says it is another is refused', async () => {
  const mistaken = await lyingProvider({})
  mistaken.metadata = { issuer: 'https://another.test' }
  const seen = await new PasserBy(serverFor(mistaken.issuer)).visit(start)
  assert.equal(seen.status, 403)
})

test('a page says that a provider is down, and the provider is asked again when it is back', async () => {
  const down = await lyingProvider({ email: w.people.edit.email, email_verified: true })
  const gone = 'http://127.0.0.1:9'
  const seen = await new PasserBy(serverFor(gone)).visit(start)
  assert.equal(seen.status, 503)
  assert.match(seen.text, /cannot be reached/)
  down.metadata = { issuer: 'https://another.test' }
  const here = serverFor(down.issuer)
  assert.equal((await new PasserBy(here).visit(start)).status, 403)
  down.metadata = {}
  assert.equal((await new PasserBy(here).visit(start)).status, 200)
})

test('no request is sent where outgoing requests may not go', async () => {
  const inside = serverFor(liar.issuer, { guard: addressGuard([]) })
  const seen = await new PasserBy(inside).visit(start)
  assert.equal(seen.status, 503)
  // nor does a provider lead there by what it says of itself
  const leading = await lyingProvider({ email: w.people.edit.email, email_verified: true })
  leading.metadata = { token_endpoint: 'http://127.0.0.2:1/token' }
  assert.equal((await new PasserBy(serverFor(leading.issuer)).visit(start)).status, 503)
})

test('the sign-in page offers what is set up, and an organization’s own besides', async () => {
  const { body } = await w.call('POST', `/orgs/${w.organizationId}/saml`, {
    body: {
      ...{ label: 'Staff', entityID: 'https://idp.test', ssoURL: 'https://idp.test/sso' },
      certificate: makeSigningKey().certificate,
    },
  })
  const { services } = w
  const company = { label: 'Company', href: start }
  const staff = { label: 'Staff', href: `/sso/saml/${body.id}/start` }
  const oidc = {
    issuer: idp.issuer,
    label: 'Company',
    emailClaim: 'email',
    trustsEmails: false,
    ...ASKED,
    ...CLIENT,
  }
  const config = { ...services.config, oidc }
  assert.deepEqual(await listLogins(services), [])
  assert.deepEqual(await listLogins({ ...services, config }), [company])
  assert.deepEqual(await listLogins({ ...services, config }, w.organizationId), [company, staff])
  assert.deepEqual(await listLogins(services, 'nowhere'), [])
  assert.deepEqual(await listLogins(services, 'a\0b'), [])
})

test('where no provider is set up there is no address for it', async () => {
  assert.equal((await new PasserBy(w).step(start)).status, 404)
})
