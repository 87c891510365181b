// Links to choose a password, valid once: printed for the operator, or mailed.
import { hashToken } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { newId, newSecret } from '../../base/ids.ts'
import type { Db, Trx } from '../../platform/db/database.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** By the operator or by a request for an email; invitations have events of their own. */
    'password_link.created': { user: string; isMailed?: true }
  }
}

const HOUR_MS = 60 * 60 * 1000
/** Printed and requested links are used at once; those of invitations wait until the email is read. */
export const PRINTED_LINK_HOURS_MAX = 24
export const REQUESTED_LINK_HOURS_MAX = 24
const MAILED_LINK_HOURS_MAX = 7 * 24

/** The path of a new link on this server: `/password/<secret>`. The secret is kept hashed. */
export async function createPasswordLink(
  trx: Trx,
  userId: string,
  {
    isMailed,
    hours = isMailed ? MAILED_LINK_HOURS_MAX : PRINTED_LINK_HOURS_MAX,
  }: { readonly isMailed: boolean; readonly hours?: number },
): Promise<string> {
  const secret = newSecret()
  await trx
    .insertInto('password_links')
    .values({
      id: newId(),
      user_id: userId,
      secret_hash: hashToken(secret),
      is_mailed: isMailed,
      expires_at: new Date(now().getTime() + hours * HOUR_MS),
    })
    .execute()
  return `/password/${secret}`
}

/** A link that can still be used; `locked` prevents concurrent use. */
export const findPasswordLink = (db: Db, secret: string, mode?: 'locked') =>
  db
    .selectFrom('password_links')
    .select(['id', 'user_id'])
    .where('secret_hash', '=', hashToken(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now())
    .$if(mode === 'locked', query => query.forUpdate())
    .executeTakeFirst()

/** The use of one link ends all links of the person. */
export const removePasswordLinks = (trx: Trx, userId: string) =>
  trx.deleteFrom('password_links').where('user_id', '=', userId).execute()

export const removeOldPasswordLinks = (db: Db) =>
  db.deleteFrom('password_links').where('expires_at', '<', now()).execute()
