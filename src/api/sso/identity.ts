// Who an identity provider says somebody is: a mail address, and perhaps a name. What it says is text from outside.
import { Failure } from '../../base/errors.ts'
import { isMailAddress } from '../accounts/newcomers.ts'

export type Identity = { readonly email: string; readonly name: string | null }

const NAME_CHARACTERS_MAX = 64

/** A mail address, or undefined for what is none. */
export function readEmail(text: string | undefined): string | undefined {
  const email = text?.trim().normalize('NFC')
  return email !== undefined && isMailAddress(email) ? email : undefined
}

/** A name to show, cut to what one may have; null for none. */
export function readName(text: string | undefined): string | null {
  const name = (text ?? '').replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return [...name].slice(0, NAME_CHARACTERS_MAX).join('').trim() || null
}

/** Nobody is signed in, for a reason that they, or whoever set it up, can do something about. */
export const refuse = (code: string, message: string, cause?: unknown) =>
  new Failure('forbidden', code, message, cause)
