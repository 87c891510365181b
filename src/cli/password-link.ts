// `octavo password-link`: a link with which an existing user sets a password, once.
import { findUserByEmail } from '../api/accounts/rows.ts'
import { CLOSED_BECAUSE, findClosed } from '../api/sessions/closed.ts'
import { createPasswordLink, PRINTED_LINK_HOURS_MAX } from '../api/sessions/password-links.ts'
import { invalid } from '../base/errors.ts'
import type { Services } from '../http/context.ts'

export type PasswordLinkOptions = { readonly email: string }

export type PasswordLink = { readonly url: string; readonly hours: number }

/** @throws {Failure} invalid: `user_missing`, `password_closed`. */
export async function makePasswordLink(
  services: Services,
  { email }: PasswordLinkOptions,
): Promise<PasswordLink> {
  const user = await findUserByEmail(services.db, email)
  if (user === undefined) throw invalid('user_missing', `There is no user with the address ${email}.`)
  const closed = await findClosed(services.db, user.id, null)
  if (closed !== undefined)
    throw invalid('password_closed', `${email} could not sign in with a password: ${CLOSED_BECAUSE[closed]}`)
  const path = await services.transaction(async trx => {
    await services.events.append(trx, { type: 'password_link.created', payload: { user: user.id } })
    return createPasswordLink(trx, user.id, { isMailed: false })
  })
  return { url: `${services.config.publicUrl}${path}`, hours: PRINTED_LINK_HOURS_MAX }
}
