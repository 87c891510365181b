// A link that lets whoever holds it choose a password, once: printed for the operator, or mailed.
import { hashToken } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { newId, newSecret } from '../../base/ids.ts'
import type { Db, Trx } from '../../platform/db/database.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** The operator asked for one, or somebody asked for a letter; an invitation tells of its own. */
    'password_link.created': { user: string; isMailed?: true }
  }
}

const HOUR_MS = 60 * 60 * 1000
/** Somebody waits for one that was printed or asked for; that of an invitation waits until it is read. */
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

/** One that can still be used; `locked` keeps another from using it at the same time. */
export const findPasswordLink = (db: Db, secret: string, mode?: 'locked') =>
  db
    .selectFrom('password_links')
    .select(['id', 'user_id'])
    .where('secret_hash', '=', hashToken(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now())
    .$if(mode === 'locked', query => query.forUpdate())
    .executeTakeFirst()

/** When one of them is used, all of a person are. */
export const removePasswordLinks = (trx: Trx, userId: string) =>
  trx.deleteFrom('password_links').where('user_id', '=', userId).execute()

export const removeOldPasswordLinks = (db: Db) =>
  db.deleteFrom('password_links').where('expires_at', '<', now()).execute()
