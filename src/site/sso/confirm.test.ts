import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { identityProvider } from '../../../test/support/identity-provider.ts'
import { lyingProvider, openIdProvider, serverWith } from '../../../test/support/openid-provider.ts'
import { PasserBy } from '../../../test/support/passer-by.ts'
import { cookieOf, workspaceHeaders } from '../../../test/support/sessions.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()
const NEXT = '/w/me'
const confirmPath = `/sso/confirm?next=${NEXT}`
const secretOf = (browser: PasserBy) => browser.cookies.get('octavo_session') ?? ''

async function sessionOf(browser: PasserBy, { app } = w as Pick<typeof w, 'app'>) {
  const { payload } = await app.inject({
    url: '/v1/user/session',
    headers: workspaceHeaders(secretOf(browser)),
  })
  return JSON.parse(payload)
}

const saml = await identityProvider({ email: w.people.edit.email })
const { body: provider } = await w.call('POST', `/orgs/${w.organizationId}/saml`, {
  body: { label: 'Staff', entityID: saml.entityId, ssoURL: saml.ssoUrl, certificate: saml.key.certificate },
})
saml.trust((await w.app.inject({ url: new URL(provider.service.entityID).pathname })).payload)

async function inOrganization(email = w.people.edit.email): Promise<PasserBy> {
  saml.person = { email }
  saml.askedSecondsAgo = 0
  const browser = new PasserBy(w)
  await browser.visit(new URL(provider.service.startURL).pathname)
  return browser
}

test('the provider of an organization is told to ask again, and confirms the session', async () => {
  const browser = await inOrganization()
  const before = await sessionOf(browser)
  assert.equal(before.confirmation.until, null)
  assert.equal(before.confirmation.url, 'http://octavo.test/sso/confirm')
  const { headers } = await browser.step(confirmPath)
  const request = new URL(headers.location ?? '').searchParams.get('SAMLRequest') ?? ''
  assert.match(inflateRawSync(Buffer.from(request, 'base64')).toString(), / ForceAuthn="true"/)
  const landed = await browser.visit(confirmPath)
  assert.equal(landed.url, `http://octavo.test${NEXT}`, landed.text)
  const after = await sessionOf(browser)
  assert.equal(after.id, before.id)
  const minutes = (new Date(after.confirmation.until).getTime() - Date.now()) / 60_000
  assert.ok(minutes > 9 && minutes <= 10, `${minutes} minutes`)
})

test('signing in is not told to ask again', async () => {
  const { headers } = await new PasserBy(w).step(new URL(provider.service.startURL).pathname)
  const request = new URL(headers.location ?? '').searchParams.get('SAMLRequest') ?? ''
  assert.doesNotMatch(inflateRawSync(Buffer.from(request, 'base64')).toString(), /ForceAuthn="true"/)
})

test('an organization’s provider that answers from memory confirms nothing', async () => {
  const browser = await inOrganization()
  saml.askedSecondsAgo = 120
  const seen = await browser.visit(confirmPath)
  assert.equal(seen.status, 403)
  assert.match(seen.text, /did not ask who you are/)
  assert.equal((await sessionOf(browser)).confirmation.until, null)
})

test('somebody else at the provider confirms nothing, and the browser stays in its session', async () => {
  const browser = await inOrganization()
  for (const email of [w.people.read.email, 'nobody@people.test']) {
    saml.person = { email }
    const seen = await browser.visit(confirmPath)
    assert.equal(seen.status, 403)
    assert.match(seen.text, /as somebody else/)
    const { user, confirmation } = await sessionOf(browser)
    assert.deepEqual([user.id, confirmation.until], [w.people.edit.id, null])
  }
  const nobody = await w.services.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'nobody@people.test')
    .execute()
  assert.deepEqual(nobody, [])
})

test('what was asked for in one session confirms no later one', async () => {
  const browser = await inOrganization()
  const { headers } = await browser.step(confirmPath)
  const own = secretOf(browser)
  await browser.visit(new URL(provider.service.startURL).pathname)
  assert.notEqual(secretOf(browser), own)
  const form = await browser.step(headers.location ?? '')
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form.text)?.[1] ?? ''
  const acs = new URL(provider.service.acsURL).pathname
  const answered = await browser.step(
    acs,
    { SAMLResponse: field('SAMLResponse'), RelayState: field('RelayState') },
    true,
  )
  assert.equal(answered.status, 403)
  assert.equal((await sessionOf(browser)).confirmation.until, null)
})

test('only a page of this server asks somebody to confirm', async () => {
  for (const from of ['cross-site', 'same-site']) {
    const headers = { cookie: await cookieOf(w, 'edit'), 'sec-fetch-site': from }
    const answer = await w.app.inject({ url: confirmPath, headers })
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, NEXT], from)
  }
})

test('without a session there is nothing to confirm, and a password is asked for elsewhere', async () => {
  const none = await w.app.inject({ url: confirmPath })
  assert.deepEqual(
    [none.statusCode, none.headers.location],
    [303, `/sign-in?next=${encodeURIComponent(NEXT)}`],
  )
  const password = await w.app.inject({ url: confirmPath, headers: { cookie: await cookieOf(w, 'edit') } })
  assert.equal(password.statusCode, 403)
  const away = await w.app.inject({
    url: '/sso/confirm?next=//evil.test',
    headers: { cookie: await cookieOf(w, 'edit'), 'sec-fetch-site': 'cross-site' },
  })
  assert.equal(away.headers.location, '/')
})

test('the provider of the installation is told to ask again, and confirms the session', async () => {
  const idp = await openIdProvider(true)
  const server = serverWith(w.services, idp.issuer)
  idp.person = { email: w.people.edit.email, email_verified: true }
  const browser = new PasserBy(server)
  await browser.visit('/sso/oidc/start')
  const before = await sessionOf(browser, server)
  assert.deepEqual(before.confirmation, {
    until: null,
    by: 'provider',
    url: 'http://octavo.test/sso/confirm',
  })
  const { searchParams } = new URL((await browser.step(confirmPath)).headers.location ?? '')
  assert.deepEqual([searchParams.get('prompt'), searchParams.get('max_age')], ['login', '0'])
  const landed = await browser.visit(confirmPath)
  assert.equal(landed.url, `http://octavo.test${NEXT}`, landed.text)
  const after = await sessionOf(browser, server)
  assert.equal(after.id, before.id)
  assert.notEqual(after.confirmation.until, null)
})

test('an answer of OpenID Connect without a new time, or of somebody else, confirms nothing', async () => {
  const email = w.people.create.email
  const liar = await lyingProvider({ email, email_verified: true })
  const server = serverWith(w.services, liar.issuer)
  const browser = new PasserBy(server)
  await browser.visit('/sso/oidc/start')
  const seconds = () => Math.floor(Date.now() / 1000)
  const other = { sub: 'two', email: w.people.edit.email }
  for (const [claims, words] of [
    [{}, /did not ask who you are/],
    [{ auth_time: seconds() - 120 }, /did not ask who you are/],
    [{ auth_time: 1e15 }, /did not ask who you are/],
    [{ auth_time: seconds(), ...other }, /as somebody else/],
  ] as const) {
    liar.lie = { claims }
    const seen = await browser.visit(confirmPath)
    assert.equal(seen.status, 403, JSON.stringify(claims))
    assert.match(seen.text, words)
    assert.equal((await sessionOf(browser, server)).confirmation.until, null)
  }
  liar.lie = { claims: { auth_time: seconds() } }
  await browser.visit(confirmPath)
  assert.notEqual((await sessionOf(browser, server)).confirmation.until, null)
})
