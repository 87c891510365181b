// Links to choose a password, valid once: printed for the operator, mailed, or made by an admin for somebody who has not
// signed in yet.
import { sql } from 'kysely'
import { hashToken } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { newId, newSecret } from '../../base/ids.ts'
import type { Db, Trx } from '../../platform/db/database.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** By the operator, by a request for an email, or by an admin; invitations have events of their own. */
    'password_link.created': { user: string; isMailed?: true }
    /** The link that an admin made. */
    'password_link.deleted': { user: string }
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

type VouchedLink = { readonly path: string; readonly expiresAt: Date }

/**
 * A link on the word of an organization, for one of its members who has not signed in yet. It replaces the one before.
 */
export async function createVouchedLink(
  trx: Trx,
  by: { readonly organizationId: string; readonly userId: string; readonly createdBy: string },
  days: number,
): Promise<VouchedLink> {
  const { organizationId, userId, createdBy } = by
  await removeVouchedLink(trx, organizationId, userId)
  const secret = newSecret()
  const expiresAt = new Date(now().getTime() + days * 24 * HOUR_MS)
  await trx
    .insertInto('password_links')
    .values({
      id: newId(),
      user_id: userId,
      secret_hash: hashToken(secret),
      is_mailed: false,
      expires_at: expiresAt,
      organization_id: organizationId,
      created_by: createdBy,
    })
    .execute()
  return { path: `/password/${secret}`, expiresAt }
}

export const removeVouchedLink = (trx: Trx, organizationId: string, userId: string) =>
  trx
    .deleteFrom('password_links')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()

/** Somebody who has signed in needs no word of an organization. */
export const removeVouchedLinks = (trx: Trx, userId: string) =>
  trx
    .deleteFrom('password_links')
    .where('user_id', '=', userId)
    .where('organization_id', 'is not', null)
    .execute()

/**
 * A link that can still be used; `locked` prevents concurrent use. That of an organization works while its maker is an
 * admin there, and for an active member who has not signed in yet and whom no identity provider signs in.
 */
export const findPasswordLink = (db: Db, secret: string, mode?: 'locked') =>
  db
    .selectFrom('password_links')
    .select(['id', 'user_id', 'organization_id', 'created_by'])
    .where('secret_hash', '=', hashToken(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now())
    .where(
      sql<boolean>`(password_links.organization_id is null or (
        exists (select from members where members.organization_id = password_links.organization_id
          and members.user_id = password_links.created_by and members.role = 'admin' and not members.disabled)
        and exists (select from members where members.organization_id = password_links.organization_id
          and members.user_id = password_links.user_id and not members.disabled and not members.sso)
        and not exists (select from first_sign_ins where first_sign_ins.user_id = password_links.user_id)))`,
    )
    .$if(mode === 'locked', query => query.forUpdate())
    .executeTakeFirst()

/** The use of one link ends all links of the person. */
export const removePasswordLinks = (trx: Trx, userId: string) =>
  trx.deleteFrom('password_links').where('user_id', '=', userId).execute()

export const removeOldPasswordLinks = (db: Db) =>
  db.deleteFrom('password_links').where('expires_at', '<', now()).execute()
