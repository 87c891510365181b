// The identity that a provider asserts: an email address, and perhaps a name. It is untrusted text.
import { Failure } from '../../base/errors.ts'
import { isMailAddress } from '../accounts/users-by-email.ts'

export type Identity = { readonly email: string; readonly name: string | null }

const NAME_CHARACTERS_MAX = 64

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

/** Refuses to sign in, for a reason that the user or an administrator can act on. */
export const refuse = (code: string, message: string, cause?: unknown) =>
  new Failure('forbidden', code, message, cause)

/** The browser is not the one that began the sign-in. */
export const wrongBrowser = () =>
  refuse(
    'sso_other_browser',
    'The sign-in was begun in another browser, or too long ago. Begin again in this one, and let it keep cookies.',
  )
