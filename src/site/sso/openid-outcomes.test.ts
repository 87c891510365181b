// What an admin reads of the identity provider of the installation: when it last signed somebody in, and why it last
// did not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../../test/support/web-bundle.ts'
import { CLIENT, lyingProvider, openIdProvider, serverWith } from '../../../test/support/openid-provider.ts'
import { PasserBy } from '../../../test/support/passer-by.ts'
import { world } from '../../../test/support/world.ts'
import { findOpenIdRefusal } from '../../api/sso/reads.ts'
import { newId } from '../../base/ids.ts'
import type { OidcConfig } from '../../platform/config.ts'

const w = await world()
const start = '/sso/oidc/start'

/** An installation with that provider. */
function installation(issuer: string, set: Partial<OidcConfig> = {}) {
  const server = serverWith(w.services, issuer, {}, set)
  const read = async (as: keyof typeof w.people | null = 'admin') => {
    const response = await server.app.inject({
      url: `/v1/orgs/${w.organizationId}/openid`,
      ...(as === null ? {} : { headers: { authorization: `Bearer ${w.people[as].token}` } }),
    })
    return { status: response.statusCode, body: response.json() }
  }
  const signIn = () => new PasserBy(server).visit(start)
  return { server, read, signIn }
}

const known = { email: w.people.edit.email, email_verified: true }

test('a provider that nobody has used has neither a success nor a failure, and nothing secret is read of it', async () => {
  const { issuer } = await lyingProvider(known)
  const { body } = await installation(issuer).read()
  assert.deepEqual(body, {
    object: 'openid-provider',
    label: 'Company',
    issuer,
    lastSignInAt: null,
    lastFailure: null,
    service: {
      redirectURL: 'http://octavo.test/sso/oidc/callback',
      startURL: 'http://octavo.test/sso/oidc/start',
    },
    urls: { location: `http://octavo.test/v1/orgs/${w.organizationId}/openid` },
  })
})

test('where no provider is set up there is none to read', async () => {
  assert.equal((await w.call('GET', `/orgs/${w.organizationId}/openid`)).status, 404)
})

test('an admin of an organization reads the provider, and nobody else', async () => {
  const { read } = installation((await lyingProvider(known)).issuer)
  const statuses = []
  for (const as of ['admin', 'read', 'create', 'guest', 'stranger', null] as const)
    statuses.push((await read(as)).status)
  assert.deepEqual(statuses, [200, 403, 403, 403, 404, 401])
})

test('a sign-in is told of, and a failure before it is over', async () => {
  const liar = await lyingProvider(known)
  const { read, signIn } = installation(liar.issuer)
  for (const [claim, code] of [
    ['nonce', 'oidc_nonce'],
    ['aud', 'oidc_audience'],
  ] as const) {
    liar.lie = { claims: { [claim]: 'another' } }
    assert.equal((await signIn()).status, 403)
    const failed = await findOpenIdRefusal(w.services.db, liar.issuer)
    assert.ok(failed?.includes(`: ${code}. The answer of the identity provider was refused.`), failed)
    liar.lie = {}
    assert.equal((await signIn()).status, 200)
    const { lastSignInAt, lastFailure } = (await read()).body
    assert.ok(Date.parse(lastSignInAt) > Date.parse(lastFailure.at))
    assert.equal(await findOpenIdRefusal(w.services.db, liar.issuer), undefined)
  }
})

for (const [name, code, reason, lie] of [
  ['of another issuer', 'oidc_issuer', /another issuer/, { claims: { iss: 'https://another.test' } }],
  ['for another client', 'oidc_audience', /another service \(its audience\)/, { claims: { aud: 'another' } }],
  ['for another nonce', 'oidc_nonce', /another sign-in \(its nonce\)/, { claims: { nonce: 'another' } }],
  ['without a nonce', 'oidc_nonce', /its nonce/, { claims: { nonce: undefined } }],
  ['that has expired', 'oidc_time', /too old, or the clock/, { claims: { exp: 1, iat: 0 } }],
  ['of another key', 'oidc_signature', /not signed with a key/, { key: 'other' }],
  ['without a signature', 'oidc_signature', /not signed with a key/, { key: 'none' }],
  [
    'of an address that is not verified',
    'oidc_email_unverified',
    /has not verified that …/,
    { claims: { email_verified: false } },
  ],
  ['without an address', 'oidc_email_missing', /claim email/, { claims: { email: undefined } }],
  [
    'of somebody whom nobody knows',
    'user_unknown',
    /has to be invited/,
    { claims: { email: 'ada@lovelace.test' } },
  ],
] as const) {
  test(`why an ID token ${name} was refused is told by a code, and names nobody`, async () => {
    const liar = await lyingProvider(known)
    liar.lie = lie as typeof liar.lie
    const { read, signIn } = installation(liar.issuer)
    assert.equal((await signIn()).status, 403)
    const { lastFailure, lastSignInAt } = (await read()).body
    assert.deepEqual([lastFailure.code, lastSignInAt], [code, null])
    assert.match(lastFailure.reason, reason)
    assert.doesNotMatch(lastFailure.reason, /@|lovelace/)
  })
}

test('a provider that cannot be reached is told of, with what went wrong on the way', async () => {
  const { read, signIn } = installation('http://127.0.0.1:9')
  assert.equal((await signIn()).status, 503)
  const { lastFailure } = (await read()).body
  assert.equal(lastFailure.code, 'oidc_unavailable')
  assert.match(lastFailure.reason, /cannot be reached \(fetch_unreachable\)/)
})

test('an address at which no provider answers, or another than it says, is told of', async () => {
  const liar = await lyingProvider(known)
  const beside = installation(`${liar.issuer}/beside`)
  assert.equal((await beside.signIn()).status, 403)
  assert.equal((await beside.read()).body.lastFailure.code, 'oidc_discovery')
  liar.metadata = { issuer: 'https://another.test' }
  const { read, signIn } = installation(liar.issuer)
  assert.equal((await signIn()).status, 403)
  assert.equal((await read()).body.lastFailure.code, 'oidc_issuer')
})

test('a wrong client secret is told of, and no secret is said', async () => {
  const idp = await openIdProvider(true)
  idp.person = known
  const clientSecret = 'another secret of 32 characters'
  const { read, signIn } = installation(idp.issuer, { clientSecret })
  assert.equal((await signIn()).status, 403)
  const { lastFailure } = (await read()).body
  assert.equal(lastFailure.code, 'oidc_client')
  assert.doesNotMatch(lastFailure.reason, new RegExp(`${clientSecret}|${CLIENT.clientSecret}`))
})

test('a code used before → its reason is kept; a replayed address of an answer → nothing is written', async () => {
  const idp = await openIdProvider(true)
  idp.person = known
  const { server, read } = installation(idp.issuer)
  const comingBack = async (browser: PasserBy): Promise<URL> => {
    let seen = await browser.step(start)
    for (let hops = 0; hops < 8; hops++) {
      const location = new URL(seen.headers.location ?? '', seen.url)
      if (location.pathname === '/sso/oidc/callback') return location
      seen = await browser.step(location.href)
    }
    return assert.fail('the browser does not come back')
  }
  const browser = new PasserBy(server)
  const used = await comingBack(browser)
  assert.equal((await browser.step(used.href)).status, 303)
  assert.equal((await browser.step(used.href)).status, 403)
  assert.equal((await read()).body.lastFailure, null)
  const again = await comingBack(browser)
  again.searchParams.set('code', used.searchParams.get('code') ?? '')
  assert.equal((await browser.step(again.href)).status, 403)
  assert.equal((await read()).body.lastFailure.code, 'oidc_code')
})

test('a refusal of the provider is told by its code, and not in its words, which may name somebody', async () => {
  const idp = await openIdProvider(true)
  const { read, signIn } = installation(idp.issuer)
  assert.match((await signIn()).text, /did not let you in \(access_denied\)\. not &lt;b&gt;you/)
  const { lastFailure } = (await read()).body
  assert.deepEqual(
    [lastFailure.code, lastFailure.reason],
    [
      'oidc_refused',
      'The identity provider did not let somebody in: access_denied. Its log says whom, and why.',
    ],
  )
})

test('somebody whose memberships are all disabled is refused, and it is told', async () => {
  const { id, email } = w.people.comment
  const liar = await lyingProvider({ email, email_verified: true })
  const { read, signIn } = installation(liar.issuer)
  const disable = (disabled: boolean) =>
    w.services.db.updateTable('members').set({ disabled }).where('user_id', '=', id).execute()
  await disable(true)
  const seen = await signIn()
  assert.equal(seen.status, 403)
  assert.match(seen.text, /Your membership has been disabled/)
  assert.equal((await read()).body.lastFailure.code, 'member_disabled')
  await disable(false)
  assert.equal((await signIn()).status, 200)
})

test('another issuer is another provider, with failures of its own', async () => {
  const [one, other] = [await lyingProvider(known), await lyingProvider(known)]
  one.lie = { claims: { nonce: newId() } }
  await installation(one.issuer).signIn()
  assert.equal((await installation(other.issuer).read()).body.lastFailure, null)
})
