import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../base/errors.ts'
import { toIdentity, toSubject } from './openid-claims.ts'

const PLAIN = { emailClaim: 'email', trustsEmails: false }
const TRUSTING = { emailClaim: 'email', trustsEmails: true }
const email = 'ada@people.test'

/** The address, or the code of the refusal. */
function read(config: typeof PLAIN, token: object, userinfo: object = {}): string {
  try {
    return toIdentity(config, token as never, userinfo as never).email
  } catch (error) {
    assert.ok(error instanceof Failure)
    return error.code
  }
}

test('a verification is true, or the text of it, and nothing else', () => {
  for (const email_verified of [true, 'true']) assert.equal(read(PLAIN, { email, email_verified }), email)
  for (const email_verified of [false, 'false', 'True', 'TRUE', 'yes', '1', 1, '', null, {}, ['true']])
    for (const config of [PLAIN, TRUSTING])
      assert.equal(read(config, { email, email_verified }), 'oidc_email_unverified', String(email_verified))
  assert.equal(read(PLAIN, { email }), 'oidc_email_unverified')
})

test('what the ID token leaves out is taken from userinfo, for the same address', () => {
  assert.equal(read(PLAIN, {}, { email, email_verified: 'true' }), email)
  assert.equal(read(PLAIN, { email }, { email, email_verified: true }), email)
  assert.equal(read(PLAIN, { email }, { email: 'Ada@people.test', email_verified: true }), email)
  assert.equal(
    read(PLAIN, { email }, { email: 'eve@evil.test', email_verified: true }),
    'oidc_email_unverified',
  )
  assert.equal(read(PLAIN, { email, email_verified: true }, { email: 'eve@evil.test' }), email)
  assert.equal(read(TRUSTING, { email }, { email_verified: false }), 'oidc_email_unverified')
  assert.equal(toIdentity(PLAIN, { email, email_verified: true }, { name: 'Ada' }).name, 'Ada')
})

test('an issuer that is trusted need not say that an address is verified', () => {
  assert.equal(read(TRUSTING, { email }), email)
  assert.equal(read(TRUSTING, {}), 'oidc_email_missing')
})

test('the address is in the claim of the setting, whose verification is not that of another claim', () => {
  const entra = { emailClaim: 'preferred_username', trustsEmails: false }
  assert.equal(read({ ...entra, trustsEmails: true }, { preferred_username: email }), email)
  assert.equal(read(entra, { preferred_username: email }), 'oidc_email_unverified')
  assert.equal(read(entra, { email, email_verified: true }), 'oidc_email_missing')
  const other = { preferred_username: email, email_verified: true }
  assert.equal(read(entra, other), 'oidc_email_unverified')
  assert.equal(read(entra, { ...other, email: 'eve@evil.test' }), 'oidc_email_unverified')
  assert.equal(read(entra, { ...other, email }), email)
  assert.equal(read(entra, { preferred_username: 'ada', email, email_verified: true }), 'oidc_email_missing')
})

test('who somebody is takes an issuer and a subject, which are texts', () => {
  const iss = 'https://login.test'
  assert.doesNotThrow(() => toSubject({ iss, sub: 'ada' } as never))
  for (const claims of [
    { iss },
    { sub: 'ada' },
    { iss, sub: 5 },
    { iss: {}, sub: 'ada' },
    { iss, sub: ['ada'] },
    { iss, sub: '' },
  ])
    assert.throws(() => toSubject(claims as never), { name: 'Failure', code: 'oidc_subject_invalid' })
})
