// The identity in the claims of an OpenID Connect provider: those of its ID token and of its userinfo endpoint.
import type { OidcConfig } from '../../platform/config.ts'
import { type Identity, readEmail, readName, readSubject, refuse, type Subject } from './identity.ts'

type Claims = Readonly<Record<string, unknown>>

/** The ID token wins over userinfo. `trustsEmails` replaces a missing verification, and never one that is false. */
export function toIdentity(
  { emailClaim, trustsEmails }: Pick<OidcConfig, 'emailClaim' | 'trustsEmails'>,
  token: Claims,
  userinfo: Claims,
): Identity {
  const said = { ...userinfo, ...token }
  const address = said[emailClaim]
  const email = typeof address === 'string' ? readEmail(address) : undefined
  if (email === undefined)
    throw refuse(
      'oidc_email_missing',
      `The identity provider did not send your email address (claim ${emailClaim}).`,
    )
  // What one source says of another address says nothing of this one.
  const isOfOther = (claims: Claims): boolean =>
    claims.email === undefined ? emailClaim !== 'email' : !isSame(claims.email, email)
  const verifications = [token, userinfo].flatMap(claims =>
    claims.email_verified === undefined
      ? []
      : [{ value: claims.email_verified, isOfOther: isOfOther(claims) }],
  )
  const isDenied = verifications.some(({ value }) => !isTrue(value))
  const isVerified = verifications.some(one => isTrue(one.value) && !one.isOfOther)
  if (isDenied || !(isVerified || trustsEmails))
    throw refuse(
      'oidc_email_unverified',
      `The identity provider has not verified that ${email} is yours (claim email_verified). Verify it there first.`,
    )
  return { email, name: readName(typeof said.name === 'string' ? said.name : undefined) }
}

/** Who the ID token is about. Both claims are required (OpenID Connect Core §2). */
export function toSubject({ iss, sub }: Claims): Subject {
  const subject = typeof iss === 'string' && typeof sub === 'string' ? readSubject(iss, sub) : undefined
  if (subject === undefined)
    throw refuse(
      'oidc_subject_invalid',
      'The identity provider did not say who you are in a way that can be kept (claim sub).',
    )
  return subject
}

/** In seconds (OpenID Connect Core §2); a time that cannot be is none. */
export function toAuthenticated({ auth_time }: Claims): Pick<Identity, 'authenticatedAt'> {
  const isTime = typeof auth_time === 'number' && auth_time >= 0 && auth_time <= SECONDS_MAX
  return isTime ? { authenticatedAt: new Date(auth_time * 1000).toISOString() } : {}
}

// The last second of the year 9999.
const SECONDS_MAX = 253_402_300_799

const isSame = (one: unknown, email: string): boolean =>
  typeof one === 'string' && readEmail(one)?.toLowerCase() === email.toLowerCase()

/** Some providers send it as a text; no other text counts. */
const isTrue = (value: unknown): boolean => value === true || value === 'true'
