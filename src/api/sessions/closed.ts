// Whom a password or a passkey opens nothing: each of their organizations has its own sign-in, or has disabled them.
import type { Db } from '../../platform/db/database.ts'

/** As shown in the list of sessions. */
export type Browser = { readonly address: string | null; readonly userAgent: string | null }

/** Why a password opens nothing: each of their organizations has its own sign-in, or has disabled them. */
export type Closed = 'sso' | 'disabled'

export const CLOSED_BECAUSE: Readonly<Record<Closed, string>> = {
  sso: 'each of their organizations has its own way to sign in.',
  disabled: 'each of their memberships was disabled.',
}

/**
 * Why a password would open nothing; undefined if it opens something. Sessions by password do not open organizations
 * whose identity provider signs the member in. People without any organization may sign in.
 *
 * `within`: the only organization that the password opens, if it stands on the word of one.
 */
export async function findClosed(db: Db, userId: string, within: string | null): Promise<Closed | undefined> {
  const memberships = await db
    .selectFrom('members')
    .select(['disabled', 'sso'])
    .where('user_id', '=', userId)
    .$if(within !== null, theirs => theirs.where('organization_id', '=', within))
    .execute()
  if (memberships.length === 0 || memberships.some(({ disabled, sso }) => !disabled && !sso)) return undefined
  return memberships.every(({ disabled }) => disabled) ? 'disabled' : 'sso'
}
