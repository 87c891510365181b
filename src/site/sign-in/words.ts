// Why somebody is not signed in.
import type { Closed } from '../../api/sessions/closed.ts'
import { LOCK_MINUTES, TRIES_MAX } from '../../api/sessions/lockout.ts'
import { WINDOW_MINUTES } from './attempts.ts'

/** The answer never reveals whether an account has this address. */
export const WRONG =
  'The email address or the password is wrong. If your organization uses single sign-on, sign in with that.'
export const LOCKED = `There were ${TRIES_MAX} failed attempts for this email address. Wait ${LOCK_MINUTES} minutes and try again.`
export const CROWDED = `There were too many failed attempts from your network. Wait ${WINDOW_MINUTES} minutes and try again.`

/** Shown only to somebody with the right password, passkey or link. */
export const CLOSED: Readonly<Record<Closed, string>> = {
  sso: 'Your organization uses single sign-on, so you cannot sign in with a password. Sign in with your organization.',
  disabled: 'Your membership has been disabled. Contact an administrator of your organization.',
}
