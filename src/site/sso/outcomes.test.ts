// What an admin reads of an identity provider: when it last signed somebody in, and why it last did not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../../test/support/web-bundle.ts'
import { identityProvider } from '../../../test/support/identity-provider.ts'
import { PasserBy } from '../../../test/support/passer-by.ts'
import { honest, type Odd, toForm } from '../../../test/support/saml-responses.ts'
import { world } from '../../../test/support/world.ts'
import { makeSigningKey } from '../../api/sso/saml/signing-key.ts'

const w = await world()
const idp = await identityProvider({ email: 'outcome@people.test' })

/** One that has signed nobody in. */
async function newProvider() {
  const { body } = await w.call('POST', `/orgs/${w.organizationId}/saml`, {
    body: { label: 'Staff', entityID: idp.entityId, ssoURL: idp.ssoUrl, certificate: idp.key.certificate },
  })
  const start = new URL(body.service.startURL).pathname
  const acs = new URL(body.service.acsURL).pathname
  /** Posts an answer to a request that was begun for it. */
  const answer = async (odd: Odd, key = idp.key, change = (xml: string) => xml): Promise<number> => {
    const begun = await w.app.inject(start)
    const { searchParams } = new URL(String(begun.headers.location))
    const requestId = searchParams.get('RelayState') ?? ''
    const told = {
      acsURL: body.service.acsURL,
      audience: body.service.entityID,
      issuer: idp.entityId,
      requestId,
    }
    const form = { RelayState: requestId, SAMLResponse: toForm(change(honest(told, key, odd))) }
    const { statusCode } = await w.app.inject({
      method: 'POST',
      url: acs,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })
    return statusCode
  }
  const read = async () => (await w.call('GET', `/orgs/${w.organizationId}/saml/${body.id}`)).body
  return { id: body.id as string, service: body.service, start, acs, answer, read }
}

test('a provider that nobody used has neither a success nor a failure', async () => {
  const { lastSignInAt, lastFailure } = await (await newProvider()).read()
  assert.deepEqual({ lastSignInAt, lastFailure }, { lastSignInAt: null, lastFailure: null })
})

test('a sign-in is told of, and leaves no failure', async () => {
  const { service, start, read } = await newProvider()
  idp.trust((await w.app.inject(new URL(service.entityID).pathname)).payload)
  const before = Date.now() - 1000
  await new PasserBy(w).visit(start)
  const { lastSignInAt, lastFailure } = await read()
  assert.ok(Date.parse(lastSignInAt) >= before, lastSignInAt)
  assert.equal(lastFailure, null)
})

test('why somebody was refused is told in words that help', async () => {
  const stranger = makeSigningKey()
  const cases: readonly (readonly [code: string, words: RegExp, Odd, typeof stranger?])[] = [
    ['saml_audience', /another service \(its audience\)/, { audience: 'https://other.test' }],
    ['saml_time', /both clocks/, { issuedIn: -7200, notBeforeIn: -7200, notAfterIn: -3600 }],
    ['saml_email_missing', /did not send your email address/, { nameId: 'ada', nameIdFormat: null }],
    ['saml_signature', /certificate that is set up here/, {}, stranger],
    ['saml_issuer', /not issued by/, { issuer: 'https://evil.test' }],
    ['saml_destination', /another address/, { destination: 'https://other.test/acs' }],
  ]
  for (const [code, words, odd, key] of cases) {
    const provider = await newProvider()
    assert.equal(await provider.answer(odd, key), 403)
    const { lastFailure, lastSignInAt } = await provider.read()
    assert.equal(lastFailure?.code, code)
    assert.match(lastFailure.reason, words)
    assert.ok(Date.now() - Date.parse(lastFailure.at) < 600_000)
    assert.equal(lastSignInAt, null)
  }
})

test('a refusal in words of the provider, which name somebody → its codes are kept, and not the words', async () => {
  const denied = await newProvider()
  const status = await denied.answer({}, idp.key, xml =>
    xml
      .replace(/<saml:Assertion .*<\/saml:Assertion>/s, '')
      .replace(
        'status:Success"/>',
        'status:Responder"/><samlp:StatusMessage>AADSTS50105: Ada Lovelace (ada@nowhere.test) is not assigned</samlp:StatusMessage>',
      ),
  )
  assert.equal(status, 403)
  const { lastFailure } = await denied.read()
  assert.deepEqual(
    [lastFailure.code, lastFailure.reason],
    [
      'saml_status',
      'The identity provider did not let somebody in: Responder, AADSTS50105. Its log says whom, and why.',
    ],
  )
})

test('an admin of the organization reads it, and nobody else', async () => {
  const { id } = await newProvider()
  for (const as of ['read', 'stranger'] as const)
    assert.ok((await w.call('GET', `/orgs/${w.organizationId}/saml/${id}`, { as })).status >= 403)
})

test('a flood of refused answers writes once for each reason, and another reason is still told', async () => {
  const provider = await newProvider()
  const changedAt = async () => {
    const row = await w.services.db
      .selectFrom('saml_providers')
      .select(['last_failed_at', 'last_failure_code'])
      .where('id', '=', provider.id)
      .executeTakeFirstOrThrow()
    return row.last_failed_at?.getTime()
  }
  assert.equal(await provider.answer({ audience: 'https://other.test' }), 403)
  const first = await changedAt()
  for (const _ of [1, 2, 3]) assert.equal(await provider.answer({ audience: 'https://other.test' }), 403)
  assert.equal(await changedAt(), first)
  assert.equal(await provider.answer({ issuer: 'https://evil.test' }), 403)
  assert.equal((await provider.read()).lastFailure.code, 'saml_issuer')
})
