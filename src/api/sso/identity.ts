// The identity that a provider asserts: an email address, who that is for the provider, and perhaps a name. It is
// untrusted text.
import { Failure } from '../../base/errors.ts'
import { isMailAddress } from '../accounts/users-by-email.ts'

export type Identity = {
  readonly email: string
  readonly name: string | null
  /** None where the provider says nothing that lasts. */
  readonly subject?: Subject
  /** When the provider asked who they are, in ISO 8601; absent if it does not say. */
  readonly authenticatedAt?: string
}

/** What an issuer calls a person, and nobody else ever. */
export type Subject = { readonly issuer: string; readonly id: string }

const NAME_CHARACTERS_MAX = 64
/** As OpenID Connect and SAML bound it, with room for a qualifier. */
const SUBJECT_CHARACTERS_MAX = 512
/** Of both parts: an index of the database has room for them. */
const SUBJECT_BYTES_MAX = 2000

/** An email address; undefined if it is not one. */
export function readEmail(text: string | undefined): string | undefined {
  const email = text?.trim().normalize('NFC')
  return email !== undefined && isMailAddress(email) ? email : undefined
}

/** A display name, truncated; null if there is none. */
export function readName(text: string | undefined): string | null {
  const name = (text ?? '').replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return [...name].slice(0, NAME_CHARACTERS_MAX).join('').trim() || null
}

/** Undefined if it cannot be stored as it is. */
export function readSubject(issuer: string, id: string): Subject | undefined {
  const isShort = id.length <= SUBJECT_CHARACTERS_MAX && Buffer.byteLength(issuer + id) <= SUBJECT_BYTES_MAX
  return id !== '' && isShort && !/\p{Cc}/u.test(id) && id.isWellFormed() ? { issuer, id } : undefined
}

/** Refuses to sign in, for a reason that the user or an administrator can act on. */
export const refuse = (code: string, message: string, cause?: unknown) =>
  new Failure('forbidden', code, message, cause)

/** The browser is not the one that began the sign-in. */
export const wrongBrowser = () =>
  refuse(
    'sso_other_browser',
    'The sign-in was begun in another browser, or too long ago. Begin again in this one, and let it keep cookies.',
  )
