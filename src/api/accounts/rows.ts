// SQL over users and tokens.
import { type Insertable, type Selectable, sql } from 'kysely'
import { hashToken, type UserRow } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { Tokens } from '../../platform/db/tables.ts'

export type TokenRow = Pick<Selectable<Tokens>, (typeof TOKEN_COLUMNS)[number]>

const TOKEN_COLUMNS = [
  'id',
  'label',
  'scopes',
  'organization_id',
  'created_at',
  'expires_at',
  'last_used_at',
] as const

export const findUser = (db: Db, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** Compares without case as the unique index does: lower case differs between PostgreSQL and JavaScript. */
export const findUserByEmail = (db: Db, email: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where(sql<boolean>`lower(email) = lower(${email})`).executeTakeFirst()

/** Whether one of these organizations of somebody has the other person, active or not. */
export async function isInOneOf(
  db: Db,
  organizationIds: readonly string[],
  userId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('organization_id')
    .where('user_id', '=', userId)
    .where(sql<boolean>`organization_id = any(${[...organizationIds]}::text[])`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const insertUser = (
  trx: Trx,
  user: { id: string; email: string; display_name: string },
): Promise<UserRow> => trx.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow()

export const updateUser = (
  trx: Trx,
  id: string,
  change: { display_name?: string; photo_url?: string },
): Promise<UserRow | undefined> =>
  trx.updateTable('users').set(change).where('id', '=', id).returningAll().executeTakeFirst()

/** The owner of tokens: a person, an integration, or the directory of an organization. `onlyIn`: only tokens for it. */
export type TokenOwner =
  | { readonly user: string; readonly onlyIn: string | null }
  | { readonly integration: string }
  | { readonly directoryOf: string }

/** Newest first, without those of programs that act by OAuth, which `oauth` lists. */
export function listTokens(db: Db, owner: TokenOwner, query: PageQuery) {
  const all = db.selectFrom('tokens').select(TOKEN_COLUMNS)
  const paging = {
    question: { list: 'tokens', ...owner },
    by: [
      ['created_at', 'desc'],
      ['id', 'desc'],
    ],
    ...query,
  } as const
  if ('integration' in owner) return page(all.where('integration', '=', owner.integration), paging)
  if ('directoryOf' in owner)
    return page(all.where('kind', '=', 'scim').where('organization_id', '=', owner.directoryOf), paging)
  const { user, onlyIn } = owner
  const theirs = all.where('user_id', '=', user).where('oauth_grant_id', 'is', null)
  return page(onlyIn === null ? theirs : theirs.where('organization_id', '=', onlyIn), paging)
}

export const insertToken = (
  trx: Trx,
  token: Omit<Insertable<Tokens>, 'secret_hash'>,
  secret: string,
): Promise<TokenRow> =>
  trx
    .insertInto('tokens')
    .values({ ...token, secret_hash: hashToken(secret) })
    .returning(TOKEN_COLUMNS)
    .executeTakeFirstOrThrow()

/** `onlyIn`: only tokens of that organization. */
export function removeToken(trx: Trx, userId: string, onlyIn: string | null, id: string) {
  const theirs = trx
    .deleteFrom('tokens')
    .where('user_id', '=', userId)
    .where('oauth_grant_id', 'is', null)
    .where('id', '=', id)
  return (onlyIn === null ? theirs : theirs.where('organization_id', '=', onlyIn))
    .returning(['label', 'organization_id'])
    .executeTakeFirst()
}

export const removeIntegrationToken = (trx: Trx, integration: string, id: string) =>
  trx
    .deleteFrom('tokens')
    .where('integration', '=', integration)
    .where('id', '=', id)
    .returning('label')
    .executeTakeFirst()

export const removeScimToken = (trx: Trx, organizationId: string, id: string) =>
  trx
    .deleteFrom('tokens')
    .where('kind', '=', 'scim')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('label')
    .executeTakeFirst()

/** Locks the organization's row, so that concurrent inserts count one after the other. */
export async function countScimTokens(trx: Trx, organizationId: string): Promise<number> {
  await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return countRows(
    trx.selectFrom('tokens').where('kind', '=', 'scim').where('organization_id', '=', organizationId),
  )
}

/** How many tokens of an integration have not ended. */
export const countIntegrationTokens = (trx: Trx, integration: string): Promise<number> =>
  countRows(
    trx
      .selectFrom('tokens')
      .where('integration', '=', integration)
      .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now())])),
  )

/** How many tokens of an installation have not ended. */
export const countInstallationTokens = (trx: Trx, installationId: string): Promise<number> =>
  countRows(
    trx.selectFrom('tokens').where('installation_id', '=', installationId).where('expires_at', '>', now()),
  )

/** Removes at most `batch` expired tokens that nobody made by hand; returns their number. */
export async function removeExpiredTokens(trx: Trx, batch: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from tokens where id in (
      select id from tokens
      where (kind in ('installation', 'content') or oauth_grant_id is not null) and expires_at < ${now()}
      order by expires_at limit ${batch} for update skip locked)
    returning id`.execute(trx)
  return rows.length
}

/** Stores when tokens were last used, in one statement. */
export async function updateTokenUses(db: Db, uses: ReadonlyMap<string, Date>): Promise<void> {
  if (uses.size === 0) return
  const ids = [...uses.keys()]
  const times = [...uses.values()].map(date => date.toISOString())
  await sql`update tokens set last_used_at = uses.used_at
    from unnest(${ids}::text[], ${times}::timestamptz[]) as uses (id, used_at)
    where tokens.id = uses.id`.execute(db)
}

/** What a person is called who was erased. */
export const DELETED_PERSON = 'Deleted person'

/** Leaves of an account the name for what the person wrote. `email`: one that nobody has. */
export const updateErasedUser = (trx: Trx, id: string, email: string) =>
  trx
    .updateTable('users')
    .set({ email, display_name: DELETED_PERSON, photo_url: null, email_verified_at: null })
    .where('id', '=', id)
    .execute()

/** The row, which nobody else changes until the transaction ends. */
export const lockUser = (trx: Trx, id: string): Promise<UserRow | undefined> =>
  trx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
