// What is accepted from an identity provider, and everything that is not.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { atOnce } from '../../../../test/support/compute.ts'
import { assertLinear } from '../../../../test/support/growth.ts'
import {
  assertionOf,
  honest,
  type Odd,
  responseAround,
  sign,
  type Told,
  toForm,
} from '../../../../test/support/saml-responses.ts'
import { Failure } from '../../../base/errors.ts'
import { newId } from '../../../base/ids.ts'
import { createCompute } from '../../../compute/compute.ts'
import { CERTIFICATES_MAX, readCertificates } from '../certificates.ts'
import type { ProviderRow } from '../rows.ts'
import { RESPONSE_CHARACTERS_MAX, readSamlAnswer } from './answer.ts'
import { makeSigningKey } from './signing-key.ts'

const compute = createCompute()
after(() => compute.end())
const services = { compute }

const key = makeSigningKey()
const stranger = makeSigningKey()
const service = {
  acsURL: 'https://octavo.test/sso/saml/one/acs',
  startURL: 'https://octavo.test/sso/saml/one/start',
  entityID: 'https://octavo.test/sso/saml/one/metadata',
}
const told: Told = {
  acsURL: service.acsURL,
  audience: service.entityID,
  issuer: 'https://idp.test/metadata',
  requestId: `r${newId()}`,
}
const providerWith = (certificate: string): ProviderRow => ({
  ...{ id: 'one', organization_id: 'o', label: 'Staff', entity_id: told.issuer },
  certificate: readCertificates('certificate', certificate),
  ...{ sso_url: 'https://idp.test/sso', default_team_id: null, default_role: null, attributes: {} },
  ...{ created_at: new Date(), updated_at: new Date(), last_signed_in_at: null },
  ...{ last_failed_at: null, last_failure_code: null, last_failure_reason: null },
})
const provider = providerWith(key.certificate)

const read = (xml: string, by = provider) =>
  readSamlAnswer(services, by, service, told.requestId, toForm(xml))
const identityOf = async (odd: Odd) => (await read(honest(told, key, odd))).identity

/** Refused by a check, and not by an unexpected error. */
async function refuses(xml: string, code: string, by = provider): Promise<void> {
  await assert.rejects(read(xml, by), (error: unknown) => {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.kind, 'forbidden')
    assert.equal(error.code, code, `${error.message} (${String(error.cause)})`)
    return true
  })
}

const EVIL = 'eve@evil.test'
const evil = assertionOf(told, { nameId: EVIL })
const signed = sign(responseAround(told, assertionOf(told)), key)
const assertionIn = (xml: string) => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''
const signatureIn = (xml: string) => /<Signature[\s\S]*<\/Signature>/.exec(xml)?.[0] ?? ''

test('a signed assertion for this server and this request is accepted', async () => {
  const answer = await read(honest(told, key, { assertionId: 'a1', attributes: { displayName: 'Ada' } }))
  assert.equal(answer.id, 'a1')
  const { authenticatedAt, ...person } = answer.identity
  assert.deepEqual(person, { email: 'ada@people.test', name: 'Ada' })
  assert.match(String(authenticatedAt), /^\d{4}-\d\d-\d\dT/)
})

test('the response may be signed, too', async () => {
  const xml = sign(honest(told, key), key, 'Response')
  assert.equal((await read(xml)).identity.email, 'ada@people.test')
})

test('an assertion that is not signed is refused', () =>
  refuses(responseAround(told, assertionOf(told)), 'saml_signature'))

const whole = sign(responseAround(told, assertionOf(told)), key, 'Response')

test('an unsigned assertion in a signed response is accepted', async () => {
  assert.equal((await read(whole)).identity.email, 'ada@people.test')
})

test('a signed response is refused with another key, or when anything in it is changed', async () => {
  await refuses(sign(responseAround(told, assertionOf(told)), stranger, 'Response'), 'saml_signature')
  await refuses(whole.replace('ada@people.test', EVIL), 'saml_signature')
  await refuses(whole.replace('</saml:Assertion>', `</saml:Assertion>${evil}`), 'saml_signature')
  await refuses(whole.replace('<saml:Assertion', `${evil}<saml:Assertion`), 'saml_signature')
  await refuses(whole.replace(assertionIn(whole), evil), 'saml_signature')
  await refuses(whole.replace(signatureIn(whole), ''), 'saml_signature')
  for (const odd of [
    { audience: 'https://other.test/metadata' },
    { recipient: 'https://other.test/acs' },
    { confirmedFor: 'r0' },
  ])
    await assert.rejects(read(sign(responseAround(told, assertionOf(told, odd)), key, 'Response')), Failure)
})

/** The response alone, without what is within. */
const opening = (xml: string) => /<samlp:Response[^>]*>/.exec(xml)?.[0] ?? ''

test('wrapping: a signed response within another one is refused, wherever it is', async () => {
  const around = (...inside: string[]) => responseAround(told, inside.join(''))
  await refuses(around(whole, evil), 'saml_signature')
  await refuses(around(evil, whole), 'saml_signature')
  await refuses(
    responseAround(told, evil, {}, `<samlp:Extensions>${whole}</samlp:Extensions>`),
    'saml_signature',
  )
  await refuses(around(evil.replace('</saml:Issuer>', `</saml:Issuer>${whole}`)), 'saml_signature')
  await assert.rejects(read(around(whole)), Failure)
})

test('wrapping: the signature of a response that was moved aside is refused', async () => {
  const signature = signatureIn(whole)
  const bare = whole.replace(signature, '')
  const moved = (text: string, id: string) =>
    responseAround(told, evil, {}, text).replace(/ ID="[^"]*"/, ` ID="${id}"`)
  const id = /ID="([^"]+)"/.exec(opening(whole))?.[1] ?? ''
  const inObject = signature.replace('</Signature>', `<Object>${bare}</Object></Signature>`)
  // with another id, it refers to what is within it; with the same, two elements have it
  await refuses(moved(inObject, 'other'), 'saml_signature')
  await refuses(moved(inObject, id), 'saml_signature')
  await refuses(moved(`${signature}<samlp:Extensions>${bare}</samlp:Extensions>`, 'other'), 'saml_signature')
  await refuses(moved(signature, id), 'saml_signature')
  await refuses(moved(`${signature}${signature}`, id), 'saml_signature')
})

test('wrapping: an element within a signed response that has its id is refused', async () => {
  const id = /ID="([^"]+)"/.exec(opening(whole))?.[1] ?? ''
  for (const name of ['ID', 'Id', 'id'])
    await refuses(whole.replace('<samlp:Status>', `<a ${name}="${id}"/><samlp:Status>`), 'saml_signature')
})

test('a signature over an assertion is none over the response, and the reverse', async () => {
  // The signature of the assertion, as that of the response around another one.
  const signature = signatureIn(signed)
  const aside = `<samlp:Extensions>${assertionIn(signed).replace(signature, '')}</samlp:Extensions>`
  await refuses(responseAround(told, evil, {}, signature + aside), 'saml_signature')
  await refuses(responseAround(told, evil, {}, signature), 'saml_signature')
  const inAssertion = evil.replace('</saml:Issuer>', `</saml:Issuer>${signatureIn(whole)}`)
  await refuses(
    opening(whole) +
      whole
        .slice(opening(whole).length)
        .replace(signatureIn(whole), '')
        .replace(assertionIn(whole), inAssertion),
    'saml_signature',
  )
})

test('a signature without a reference to an id is refused', () =>
  refuses(whole.replace(/ URI="#[^"]*"/, ' URI=""'), 'saml_signature'))

test('a comment in the address of a signed response does not cut it', async () => {
  const address = 'ada@people.test.evil.test'
  const xml = sign(responseAround(told, assertionOf(told, { nameId: address })), key, 'Response')
  const cut = xml.replace(address, 'ada@people.test<!-- -->.evil.test')
  assert.equal((await read(cut)).identity.email, address)
})

test('a signature of another key is refused, also when it brings its own certificate', () =>
  refuses(honest(told, stranger), 'saml_signature'))

test('a changed email address is refused', () =>
  refuses(signed.replace('ada@people.test', EVIL), 'saml_signature'))

test('a changed attribute is refused', () =>
  refuses(
    honest(told, key, { attributes: { email: 'ada@people.test' } }).replace(
      '<saml:AttributeValue>ada@people.test',
      `<saml:AttributeValue>${EVIL}`,
    ),
    'saml_signature',
  ))

test('wrapping: an unsigned assertion before the signed one is refused', () =>
  refuses(signed.replace('<saml:Assertion', `${evil}<saml:Assertion`), 'saml_signature'))

test('wrapping: an unsigned assertion after the signed one is refused', () =>
  refuses(signed.replace('</saml:Assertion>', `</saml:Assertion>${evil}`), 'saml_signature'))

test('wrapping: the signed assertion moved aside, an unsigned one in its place, is refused', () => {
  const extensions = `<samlp:Extensions>${assertionIn(signed)}</samlp:Extensions>`
  return refuses(responseAround(told, evil, {}, extensions), 'saml_signature')
})

test('wrapping: the unsigned assertion with the signature of the signed one inside it is refused', async () => {
  const inner = assertionIn(signed)
  const signature = signatureIn(inner)
  const bare = inner.replace(signature, '')
  const around = (wrapped: string) =>
    responseAround(told, evil.replace('</saml:Issuer>', `</saml:Issuer>${wrapped}`))
  await refuses(
    around(signature.replace('</Signature>', `<Object>${bare}</Object></Signature>`)),
    'saml_signature',
  )
  await refuses(around(inner), 'saml_signature')
})

test('wrapping: two elements with the signed id are refused', () => {
  const id = /<saml:Assertion[^>]* ID="([^"]+)"/.exec(signed)?.[1] ?? ''
  const twin = assertionOf(told, { nameId: EVIL, assertionId: id })
  const moved = `<samlp:Extensions>${assertionIn(signed)}</samlp:Extensions>`
  return refuses(
    responseAround(told, twin.replace('</saml:Issuer>', `</saml:Issuer>${signatureIn(signed)}`), {}, moved),
    'saml_signature',
  )
})

test('two assertions are refused, both signed', () => {
  const other = assertionIn(honest(told, key, { nameId: 'bob@people.test' }))
  return refuses(signed.replace('<saml:Assertion', `${other}<saml:Assertion`), 'saml_signature')
})

test('a comment inserted into the email address does not change the signed content', async () => {
  const xml = honest(told, key, { nameId: 'ada@people.test.evil.test' })
  const cut = xml.replace('ada@people.test.evil.test', 'ada@people.test<!-- -->.evil.test')
  // comments are no part of what is signed: the address stays whole
  assert.equal((await read(cut)).identity.email, 'ada@people.test.evil.test')
  const made = honest(told, key, { nameId: 'ada@people.test<!-- -->.evil.test' })
  assert.equal((await read(made)).identity.email, 'ada@people.test.evil.test')
})

test('a document type, in any case, is refused before anything is read', async () => {
  for (const declaration of [
    '<!DOCTYPE Response [<!ENTITY who "eve">]>',
    '<!doctype Response>',
    '<!ENTITY who "eve">',
  ])
    await refuses(`${declaration}${signed}`, 'saml_declaration')
  await refuses(signed.replace('<samlp:Status>', '<?php evil ?><samlp:Status>'), 'saml_instruction')
})

test('SHA-1 is refused, in the signature and in the digest', async () => {
  await refuses(sign(responseAround(told, assertionOf(told)), key, 'Assertion', 'sha1'), 'saml_algorithm')
  await refuses(
    signed.replace('http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2000/09/xmldsig#sha1'),
    'saml_algorithm',
  )
})

test('a signature that can be made with the public key is refused', () =>
  refuses(
    signed.replace(
      'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
    ),
    'saml_algorithm',
  ))

test('transforms that could cut something out are refused', () =>
  refuses(
    signed.replace(
      '<Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>',
      '<Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><XPath>false()</XPath></Transform>',
    ),
    'saml_algorithm',
  ))

for (const [name, odd, code] of [
  ['another audience', { audience: 'https://other.test/metadata' }, 'saml_audience'],
  ['no audience', { audience: null }, 'saml_audience'],
  ['another recipient', { recipient: 'https://other.test/acs' }, 'saml_recipient'],
  ['another destination', { destination: 'https://other.test/acs' }, 'saml_destination'],
  ['another issuer', { issuer: 'https://other.test/metadata' }, 'saml_issuer'],
  ['somebody who holds a key', { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }, 'saml_recipient'],
  ['another request', { inResponseTo: 'r0', confirmedFor: 'r0' }, 'saml_unasked'],
  ['no request', { inResponseTo: null, confirmedFor: null }, 'saml_unasked'],
  ['another request within', { confirmedFor: 'r0' }, 'saml_unasked'],
  ['no request within', { confirmedFor: null }, 'saml_recipient'],
  ['a time that is over', { notBeforeIn: -200, issuedIn: -200, notAfterIn: -100 }, 'saml_time'],
  ['a time to come', { notBeforeIn: 100, notAfterIn: 200 }, 'saml_time'],
  ['long ago, valid for long', { notBeforeIn: -900, issuedIn: -900, notAfterIn: 900 }, 'saml_time'],
  ['the future', { issuedIn: 900 }, 'saml_time'],
  ['nobody who signed in', { authnStatement: '' }, 'saml_unauthenticated'],
] as const satisfies readonly (readonly [string, Odd, string])[]) {
  test(`an assertion for ${name} is refused, however well it is signed`, () =>
    refuses(honest(told, key, odd), code))
}

test('a session that has ended at the identity provider is refused', () =>
  refuses(
    honest(told, key, {
      authnStatement: `<saml:AuthnStatement AuthnInstant="2020-01-01T00:00:00Z" SessionNotOnOrAfter="2020-01-01T01:00:00Z"/>`,
    }),
    'saml_time',
  ))

test('clocks may differ a little', async () => {
  assert.ok(await identityOf({ notBeforeIn: 30, issuedIn: 30 }))
  assert.ok(await identityOf({ notBeforeIn: -60, issuedIn: -60, notAfterIn: -30 }))
})

test('both keys are accepted while the key is rotated, and afterwards only the new one', async () => {
  const [former, next] = [key, stranger]
  const both = providerWith(`${former.certificate}\n${next.certificate}`)
  assert.ok(await read(honest(told, former), both))
  assert.ok(await read(honest(told, next), both))
  const after = providerWith(next.certificate)
  assert.ok(await read(honest(told, next), after))
  await refuses(honest(told, former), 'saml_signature', after)
})

test('the identity is in the NameID or in an attribute, and must be one email address', async () => {
  const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
  const email = async (odd: Odd) => (await identityOf(odd)).email
  assert.equal(await email({ nameId: ' Ada@People.test ' }), 'Ada@People.test')
  assert.equal(await email({ nameIdFormat: null, nameId: 'bob@people.test' }), 'bob@people.test')
  const mails = { mail: ['a@people.test', 'b@people.test'] }
  assert.equal(
    await email({ nameIdFormat: persistent, nameId: '42', attributes: mails }),
    'a@people.test',
    'the first of several',
  )
  for (const name of ['email', 'mail', 'Email', 'EMAILADDRESS', 'URN:OID:0.9.2342.19200300.100.1.3']) {
    const attributes = { [name]: 'bob@people.test' }
    assert.equal(await email({ nameIdFormat: persistent, nameId: '42', attributes }), 'bob@people.test')
  }
  for (const odd of [
    { nameIdFormat: persistent, nameId: 'ada@people.test' },
    { nameId: 'ada' },
    { nameId: 'ada@people.test, eve@evil.test' },
    { nameId: '&lt;ada@people.test&gt;' },
    { nameIdFormat: persistent, nameId: '42', attributes: { email: ['none', 'b@people.test'] } },
    { nameIdFormat: persistent, nameId: '42', attributes: { __proto__: 'x', toString: 'a@people.test' } },
    { nameId: `${'a'.repeat(300)}@people.test` },
  ])
    await refuses(honest(told, key, odd), 'saml_email_missing')
})

test('a persistent NameID says who somebody is for good, and no other format does', async () => {
  const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
  const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
  const attributes = { email: 'bob@people.test' }
  const subject = async (odd: Odd) => (await identityOf({ attributes, ...odd })).subject
  assert.deepEqual(await subject({ nameIdFormat: persistent, nameId: '42' }), {
    issuer: told.issuer,
    id: '42',
  })
  const qualified = (qualifier: string) =>
    subject({ nameIdFormat: `${persistent}" NameQualifier="${qualifier}`, nameId: '42' })
  assert.equal((await qualified(told.issuer))?.id, '42')
  assert.equal((await qualified('https://other.test'))?.id, 'https://other.test 42')
  for (const odd of [
    { nameIdFormat: transient, nameId: '42' },
    { nameIdFormat: null, nameId: '42' },
    { nameIdFormat: persistent, nameId: '' },
    {},
  ])
    assert.equal(await subject(odd), undefined)
  await refuses(
    honest(told, key, { attributes, nameIdFormat: persistent, nameId: 'x'.repeat(600) }),
    'saml_subject_invalid',
  )
})

test('a provider may send attributes of other names than the common ones', async () => {
  const named = (attributes: ProviderRow['attributes']) => ({ ...provider, attributes })
  const identity = async (by: ProviderRow, attributes: Odd['attributes'] = {}) => {
    const { identity } = await read(honest(told, key, { attributes }), by)
    const { authenticatedAt: _, ...person } = identity
    return person
  }
  const sent = { CorpMail: 'bob@people.test', Vorname: 'Bob', Nachname: 'Byte', Anzeige: 'Bobby', name: 'B' }
  const own = named({ email: 'corpmail', firstName: 'VORNAME', lastName: 'nachname' })
  assert.deepEqual(await identity(own, sent), { email: 'bob@people.test', name: 'Bob Byte' })
  const whole = named({ ...own.attributes, displayName: 'anzeige' })
  assert.equal((await identity(whole, sent)).name, 'Bobby')
  // what is not sent falls back to the common names
  assert.deepEqual(await identity(whole, { name: 'Ada' }), { email: 'ada@people.test', name: 'Ada' })
  assert.equal((await identity(provider, { givenName: 'Ada', SN: 'Lovelace' })).name, 'Ada Lovelace')
  assert.equal((await identity(provider, { surname: 'Lovelace' })).name, 'Lovelace')
})

test('a name is shown as plain text of one line, truncated', async () => {
  const nameOf = async (displayName: string) => (await identityOf({ attributes: { displayName } })).name
  assert.equal(await nameOf(' Ada&#10;&lt;b&gt; Lovelace '), 'Ada <b> Lovelace')
  assert.equal([...((await nameOf('ä'.repeat(100))) ?? '')].length, 64)
  assert.equal(await nameOf('\u200b'), null)
})

test('a refusal of the identity provider is shown in its words', async () => {
  const refusal = responseAround(told, '').replace(
    'status:Success"/>',
    'status:Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:StatusCode>',
  )
  await assert.rejects(read(refusal), /did not let you in.*AuthnFailed/)
})

test('an assertion has an id of at most 256 characters, since it is stored until it is too old', async () => {
  const longest = 'a'.repeat(256)
  assert.equal((await read(honest(told, key, { assertionId: longest }))).id, longest)
  await refuses(honest(told, key, { assertionId: `${longest}a` }), 'saml_unreadable')
  const nameless = assertionOf(told, { assertionId: '' })
  for (const assertion of [nameless, nameless.replace(' ID=""', '')])
    await refuses(sign(responseAround(told, assertion), key, 'Response'), 'saml_unreadable')
})

test('anything that is not a response is refused', async () => {
  for (const text of [
    '',
    'hello',
    '<a/>',
    '<samlp:Response/>',
    '<'.repeat(4000),
    signed.slice(0, -40),
    signed.replace('<samlp:Response', '<samlp:LogoutResponse'),
  ])
    await assert.rejects(read(text), Failure, text.slice(0, 60))
  for (const sent of ['***', Buffer.from([0xff, 0xfe, 0x3c]).toString('base64'), ''])
    await assert.rejects(readSamlAnswer(services, provider, service, told.requestId, sent), Failure)
})

test('bytes that are not UTF-8 are refused', async () => {
  // past the element that is signed, where a lenient reader would not mind
  const bytes = Buffer.concat([
    Buffer.from(honest(told, key)),
    Buffer.from('<!-- '),
    Buffer.from([0xff]),
    Buffer.from(' -->'),
  ])
  await assert.rejects(
    readSamlAnswer(services, provider, service, told.requestId, bytes.toString('base64')),
    (error: Failure) => error.code === 'saml_unreadable',
  )
})

test('an answer beyond the bounds is refused before it is parsed', async () => {
  // padding says nothing, and would be taken from a shorter one
  const padded = toForm(honest(told, key)).padEnd(RESPONSE_CHARACTERS_MAX + 1)
  assert.ok(await readSamlAnswer(services, provider, service, told.requestId, padded.slice(0, 30_000)))
  await assert.rejects(readSamlAnswer(services, provider, service, told.requestId, padded), Failure)
  await refuses(signed.replace('<samlp:Status>', `${'<a/>'.repeat(5000)}<samlp:Status>`), 'saml_too_large')
})

test('the most expensive answer is refused like any other, and not in this thread', async () => {
  const { done } = compute.counts().tasks
  const certificates = Array.from({ length: CERTIFICATES_MAX }, () => makeSigningKey().certificate)
  const careful = providerWith(certificates.join('\n'))
  for (const inside of Object.values({
    levels: '<a xmlns:b="c">'.repeat(20) + '<a c="d"/>'.repeat(850) + '</a>'.repeat(20),
    ids: Array.from({ length: 900 }, (_, index) => `<a ID="c${index}"/>`).join(''),
    namespaces: `<a ${Array.from({ length: 1300 }, (_, index) => `xmlns:x${index}="c"`).join(' ')}/>`,
  })) {
    await refuses(
      signed.replace('<saml:AuthnStatement', `${inside}<saml:AuthnStatement`),
      'saml_signature',
      careful,
    )
  }
  assert.equal(compute.counts().tasks.done, done + 3)
  const deep = '<a>'.repeat(40) + '</a>'.repeat(40)
  await refuses(signed.replace('<samlp:Status>', `${deep}<samlp:Status>`), 'saml_too_large')
})

test('an answer of any shape is read in proportion to its length', async () => {
  const fillings = [' ', '=', ' =', 'A ', '= ', '\n']
  for (const filling of fillings)
    await assertLinear(
      JSON.stringify(filling),
      form => readSamlAnswer({ compute: atOnce }, provider, service, told.requestId, form),
      length => `A${filling.repeat((length - 2) / filling.length)}!`,
      RESPONSE_CHARACTERS_MAX,
    )
  const xmls = [
    '<',
    '<a ',
    ' ',
    '<a Algorithm',
    ' Destination',
    ' Destination=',
    "='",
    '="',
    '<a:',
    '<![CDATA[',
    '<!--',
    '&#38;',
    'é',
  ]
  for (const filling of xmls)
    await assertLinear(
      JSON.stringify(filling),
      form => readSamlAnswer({ compute: atOnce }, provider, service, told.requestId, form),
      length => toForm(`<a${filling.repeat((length * 0.74) / filling.length)}`),
      RESPONSE_CHARACTERS_MAX,
    )
})

test('an encrypted assertion is refused with the reason', () =>
  refuses(responseAround(told, '<saml:EncryptedAssertion>x</saml:EncryptedAssertion>'), 'saml_encrypted'))
