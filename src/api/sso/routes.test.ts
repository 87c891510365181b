import assert from 'node:assert/strict'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { world } from '../../../test/support/world.ts'
import { PROVIDERS_MAX } from './actions.ts'
import { receiveSaml } from './saml/sign-in.ts'
import { makeSigningKey } from './saml/signing-key.ts'

const w = await world()
const path = `/orgs/${w.organizationId}/saml`
const { certificate, privateKey } = makeSigningKey()
const bare = certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '')
const set = {
  label: 'Staff',
  entityID: 'https://idp.test/metadata',
  certificate,
  ssoURL: 'https://idp.test/sso?tenant=1',
}

test('an identity provider is pending until it is fully set up, and then people can sign in with it', async () => {
  const other = await w.call('POST', '/orgs', { body: { title: 'Single' } })
  const here = `/orgs/${other.body.id}`
  const made = await w.call('POST', `${here}/saml`, { body: { label: 'Staff' } })
  assert.equal(made.status, 201)
  const { body } = made
  assert.equal(made.headers.location, body.urls.location)
  assert.deepEqual(
    [body.status, body.entityID, body.certificate, body.ssoURL, body.defaultRole, body.defaultTeam],
    ['pending', '', '', '', null, undefined],
  )
  const root = `http://octavo.test/sso/saml/${body.id}`
  assert.deepEqual(body.service, {
    acsURL: `${root}/acs`,
    startURL: `${root}/start`,
    entityID: `${root}/metadata`,
  })
  const logins = async () => (await w.call('GET', `${here}/sso`, { as: null })).body.items
  assert.deepEqual(await logins(), [])
  const one = `${here}/saml/${body.id}`
  for (const field of ['entityID', 'certificate', 'ssoURL'] as const) {
    assert.equal((await w.call('GET', one)).body.status, 'pending')
    await w.call('PATCH', one, { body: { [field]: set[field] } })
  }
  const read = await w.call('GET', one)
  assert.equal(read.body.status, 'active')
  assert.deepEqual(await logins(), [{ id: body.id, label: 'Staff', startURL: `${root}/start` }])
  const { body: list } = await w.call('GET', `${here}/saml`)
  assert.deepEqual([list.items, list.count], [[read.body], 1])
  const { body: cut } = await w.call('PATCH', one, { body: { certificate: '' } })
  assert.equal(cut.status, 'pending')
  assert.deepEqual(await logins(), [])
})

test('the names of attributes are set, replaced and removed', async () => {
  const attributes = { email: 'corpMail', firstName: 'vorname' }
  const { body } = await w.call('POST', path, { body: { ...set, attributes } })
  assert.deepEqual(body.attributes, attributes)
  const one = `${path}/${body.id}`
  const change = async (sent: unknown) => (await w.call('PATCH', one, { body: { attributes: sent } })).body
  assert.deepEqual((await change({ displayName: 'anzeige' })).attributes, { displayName: 'anzeige' })
  assert.deepEqual((await w.call('GET', one)).body.attributes, { displayName: 'anzeige' })
  assert.deepEqual((await change(null)).attributes, {})
  for (const wrong of [{ email: '' }, { email: 1 }, { email: 'x'.repeat(300) }, 'email', { phone: 'x' }])
    assert.equal((await w.call('PATCH', one, { body: { attributes: wrong } })).status, 400)
  await w.call('DELETE', one)
})

test('an unknown organization has no ways to sign in', async () => {
  const { status, body } = await w.call('GET', '/orgs/nowhere/sso', { as: null })
  assert.deepEqual(
    [status, body.error.message],
    [404, 'There is no such organization, or you may not see it.'],
  )
})

test('only admins of the organization see and change its identity providers', async () => {
  const { body } = await w.call('POST', path, { body: set })
  for (const [method, where, sent] of [
    ['GET', path, undefined],
    ['POST', path, set],
    ['GET', `${path}/${body.id}`, undefined],
    ['PATCH', `${path}/${body.id}`, { label: 'Mine' }],
    ['DELETE', `${path}/${body.id}`, undefined],
  ] as const) {
    assert.equal((await w.call(method, where, { as: 'create', body: sent })).status, 403, method)
    assert.equal((await w.call(method, where, { as: null, body: sent })).status, 401, method)
    const expected = method === 'DELETE' ? 204 : 404
    assert.equal((await w.call(method, where, { as: 'stranger', body: sent })).status, expected, method)
  }
  assert.equal((await w.call('GET', `${path}/${body.id}`)).body.label, 'Staff')
})

test('an identity provider of another organization is not found', async () => {
  const { body: mine } = await w.call('POST', path, { body: { label: 'Mine' } })
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Other' } })
  const there = `/orgs/${other.id}/saml/${mine.id}`
  assert.equal((await w.call('GET', there)).status, 404)
  assert.equal((await w.call('PATCH', there, { body: { label: 'Theirs' } })).status, 404)
  assert.equal((await w.call('DELETE', there)).status, 204)
  assert.equal((await w.call('GET', `${path}/${mine.id}`)).body.label, 'Mine')
})

test('deleting is idempotent', async () => {
  const { body } = await w.call('POST', path, { body: set })
  for (const _ of [1, 2]) assert.equal((await w.call('DELETE', `${path}/${body.id}`)).status, 204)
  assert.equal((await w.call('GET', `${path}/${body.id}`)).status, 404)
})

test('a narrowed token may read identity providers and not change them', async () => {
  const { body: token } = await w.call('POST', '/user/tokens', {
    body: { label: 'narrow', scopes: ['organization:read', 'organization:write'] },
  })
  assert.equal((await w.call('GET', path, { as: token })).status, 200)
  assert.equal((await w.call('POST', path, { as: token, body: set })).status, 403)
})

test('certificates are accepted as PEM, as base64 and several at once', async () => {
  const second = makeSigningKey().certificate
  for (const [sent, kept] of [
    [bare, certificate.trim()],
    [`\r\n${certificate.replaceAll('\n', '\r\n')}`, certificate.trim()],
    [certificate + second, `${certificate.trim()}\n${second.trim()}`],
    [certificate + certificate, certificate.trim()],
  ]) {
    const { status, body } = await w.call('POST', path, { body: { ...set, certificate: sent } })
    assert.equal(status, 201, body.error?.message)
    assert.equal(body.certificate, kept)
    await w.call('DELETE', `${path}/${body.id}`)
  }
})

test('the certificate of a new signing key is valid from now on for 30 years, in the two types of time that RFC 5280 asks for', () => {
  const before = Math.floor(Date.now() / 1000) * 1000
  const { raw, validFrom, validTo } = new X509Certificate(makeSigningKey().certificate)
  const from = new Date(validFrom)
  assert.ok(from.getTime() >= before && from.getTime() <= Date.now(), validFrom)
  from.setUTCFullYear(from.getUTCFullYear() + 30)
  assert.equal(Date.parse(validTo), from.getTime())
  assert.match(raw.toString('latin1'), /\x17\x0d\d{12}Z\x18\x0f\d{14}Z/)
})

test('an answer without a pending request is refused as one that was not requested, and a provider that is pending takes none', async () => {
  const { body: active } = await w.call('POST', path, { body: set })
  const { body: pending } = await w.call('POST', path, { body: { label: 'Pending' } })
  const receive = (id: string, RelayState: string) =>
    receiveSaml(w.services, id, new URLSearchParams({ RelayState, SAMLResponse: 'PGEvPg==' }))
  for (const RelayState of ['', 'r0', 'x'.repeat(5000), 'r\u0000'])
    await assert.rejects(receive(active.id, RelayState), { kind: 'forbidden', code: 'saml_unasked' })
  assert.equal(await receive(pending.id, 'r0'), undefined)
  for (const { id } of [active, pending]) await w.call('DELETE', `${path}/${id}`)
})

test('a default team and a default role can be set and removed', async () => {
  const { body: team } = await w.call('PUT', `/orgs/${w.organizationId}/teams`, {
    body: { title: 'Newcomers' },
  })
  const { body } = await w.call('POST', path, {
    body: { label: 'Staff', defaultTeam: team.id, defaultRole: 'edit' },
  })
  assert.deepEqual([body.defaultTeam.title, body.defaultRole], ['Newcomers', 'edit'])
  const { body: after } = await w.call('PATCH', `${path}/${body.id}`, {
    body: { defaultTeam: null, defaultRole: null },
  })
  assert.deepEqual([after.defaultTeam, after.defaultRole], [undefined, null])
  await w.call('PATCH', `${path}/${body.id}`, { body: { defaultTeam: team.id } })
  await w.call('DELETE', `/orgs/${w.organizationId}/teams/${team.id}`)
  const { body: without } = await w.call('GET', `${path}/${body.id}`)
  assert.equal(without.defaultTeam, undefined)
})

test('errors name the field, and nothing is stored', async () => {
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Other' } })
  const { body: foreign } = await w.call('PUT', `/orgs/${other.id}/teams`, { body: { title: 'Foreign' } })
  const { privateKey: weak } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const count = async () => (await w.call('GET', path)).body.count
  const before = await count()
  for (const [wrong, message] of [
    [{ label: '' }, /body\.label/],
    [{ label: 'x'.repeat(31) }, /body\.label/],
    [{ entityID: `https://idp.test/${'x'.repeat(1024)}` }, /body\.entityID/],
    [{ entityID: 'https://idp.test/a b' }, /body\.entityID: this must be a URI/],
    [{ certificate: 'nonsense' }, /body\.certificate: this is not an X\.509 certificate/],
    [{ certificate: 'none of that!' }, /body\.certificate: paste it as PEM/],
    [{ certificate: `Key: ${bare}` }, /body\.certificate: paste it as PEM/],
    [{ certificate: `${bare}, our key` }, /body\.certificate: paste it as PEM/],
    [
      { certificate: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----' },
      /body\.certificate: this is not an X\.509/,
    ],
    [{ certificate: `-----BEGIN CERTIFICATE-----\n${bare}` }, /body\.certificate: a line -----END/],
    [
      { certificate: `${certificate}\n-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----` },
      /body\.certificate: certificate 2/,
    ],
    [{ certificate: privateKey }, /body\.certificate: this is a private key/],
    [{ certificate: String(weak.export({ type: 'pkcs1', format: 'pem' })) }, /private key/],
    [{ certificate: 'A'.repeat(10_001) }, /body\.certificate/],
    [{ certificate: certificate.repeat(4) }, /body\.certificate: send at most 3 certificates/],
    [{ ssoURL: 'javascript:alert(1)' }, /body\.ssoURL: this must be an address/],
    [{ ssoURL: 'http://idp.test/sso' }, /body\.ssoURL: it has to begin with https/],
    [{ ssoURL: 'https://user:secret@idp.test/' }, /body\.ssoURL: leave user/],
    [{ ssoURL: `https://idp.test/${'x'.repeat(2048)}` }, /body\.ssoURL/],
    [{ defaultTeam: 'nowhere' }, /body\.defaultTeam: there is no such team/],
    [{ defaultTeam: foreign.id }, /body\.defaultTeam: there is no such team/],
    [{ defaultRole: 'owner' }, /body\.defaultRole/],
  ] as const) {
    const { status, body } = await w.call('POST', path, { body: { ...set, ...wrong } })
    assert.equal(status, 400, JSON.stringify(wrong).slice(0, 100))
    assert.match(body.error.message, message)
  }
  assert.equal(await count(), before)
})

test('http is allowed for hosts that the operator lists', async () => {
  const { status, body } = await w.call('POST', path, {
    body: { ...set, ssoURL: 'http://127.0.0.1:8080/sso' },
  })
  assert.equal(status, 201, body.error?.message)
})

test('the number of identity providers is bounded, also when they are created concurrently', async () => {
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Many' } })
  const answers = await Promise.all(
    Array.from({ length: PROVIDERS_MAX + 3 }, (_, index) =>
      w.call('POST', `/orgs/${other.id}/saml`, { body: { label: `No. ${index}` } }),
    ),
  )
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(made.length, PROVIDERS_MAX)
  for (const { status } of answers.filter(one => !made.includes(one))) assert.equal(status, 409)
})
