// SQL over users and tokens.
import { type Selectable, sql } from 'kysely'
import { hashToken, type UserRow } from '../../access/principal.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { Tokens } from '../../platform/db/tables.ts'

export type TokenRow = Pick<Selectable<Tokens>, (typeof TOKEN_COLUMNS)[number]>

const TOKEN_COLUMNS = [
  'id',
  'user_id',
  'label',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
] as const

export const findUser = (db: Db, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** Mail addresses are compared without case. */
export const findUserByEmail = (db: Db, email: string): Promise<UserRow | undefined> =>
  db
    .selectFrom('users')
    .selectAll()
    .where(({ fn, ref }) => fn('lower', [ref('email')]), '=', email.toLowerCase())
    .executeTakeFirst()

/** Whether the first is an active member of an organization that has the second, active or not. */
export async function shareOrganization(db: Db, userId: string, otherId: string): Promise<boolean> {
  const row = await db
    .selectFrom('members as mine')
    .innerJoin('members as theirs', 'theirs.organization_id', 'mine.organization_id')
    .select('mine.organization_id')
    .where('mine.user_id', '=', userId)
    .where('mine.disabled', '=', false)
    .where('theirs.user_id', '=', otherId)
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

/** Newest first. */
export const listTokens = (db: Db, userId: string, query: PageQuery) =>
  page(db.selectFrom('tokens').select(TOKEN_COLUMNS).where('user_id', '=', userId), {
    question: { list: 'tokens', user: userId },
    by: [
      ['created_at', 'desc'],
      ['id', 'desc'],
    ],
    ...query,
  })

export const insertToken = (
  trx: Trx,
  token: { id: string; user_id: string; label: string; scopes: string[] | null; expires_at: Date | null },
  secret: string,
): Promise<TokenRow> =>
  trx
    .insertInto('tokens')
    .values({ ...token, secret_hash: hashToken(secret) })
    .returning(TOKEN_COLUMNS)
    .executeTakeFirstOrThrow()

export const removeToken = (trx: Trx, userId: string, id: string) =>
  trx
    .deleteFrom('tokens')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('label')
    .executeTakeFirst()

/** Writes down when tokens were last used: one statement for all of them. */
export async function updateTokenUses(db: Db, uses: ReadonlyMap<string, Date>): Promise<void> {
  if (uses.size === 0) return
  const ids = [...uses.keys()]
  const times = [...uses.values()].map(date => date.toISOString())
  await sql`update tokens set last_used_at = uses.used_at
    from unnest(${ids}::text[], ${times}::timestamptz[]) as uses (id, used_at)
    where tokens.id = uses.id`.execute(db)
}
