// Tokens that speak for nobody: each reads one space for a while, as long as who made it could make it again.
import { type Selectable, sql } from 'kysely'
import { hashToken } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { Tokens } from '../../platform/db/tables.ts'
import { newTokenSecret } from './actions.ts'

const COLUMNS = ['id', 'created_at', 'expires_at', 'last_used_at', 'created_by'] as const
export type ContentTokenRow = Pick<Selectable<Tokens>, (typeof COLUMNS)[number]>

/** Who makes a token, and the token that they make it with, if any. */
type Maker = { readonly userId: string; readonly tokenId: string | null }

/** Writes such a token. Its secret is only in the answer. */
export async function issueContentToken(
  trx: Trx,
  spaceId: string,
  { userId, tokenId }: Maker,
  expiresAt: Date,
): Promise<{ row: ContentTokenRow; secret: string }> {
  const secret = newTokenSecret()
  const row = await trx
    .insertInto('tokens')
    .values({
      ...{ id: newId(), kind: 'content', space_id: spaceId, label: 'Content' },
      ...{ created_by: userId, made_with: tokenId, expires_at: expiresAt, secret_hash: hashToken(secret) },
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return { row, secret }
}

/** Those that have not expired, newest first. */
export const listContentTokens = (db: Db, spaceId: string, query: PageQuery) =>
  page(
    db
      .selectFrom('tokens')
      .select(COLUMNS)
      .where('kind', '=', 'content')
      .where('space_id', '=', spaceId)
      .where('expires_at', '>', now()),
    {
      question: { list: 'content tokens', space: spaceId },
      by: [
        ['created_at', 'desc'],
        ['id', 'desc'],
      ],
      ...query,
    },
  )

/** Undefined if the space has no such token. */
export const removeContentToken = (trx: Trx, spaceId: string, id: string) =>
  trx
    .deleteFrom('tokens')
    .where('kind', '=', 'content')
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()

/** Deletes the content tokens of these spaces. */
export async function removeContentTokens(trx: Trx, spaceIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('tokens')
    .where('kind', '=', 'content')
    .where(sql<boolean>`space_id = any(${[...spaceIds]}::text[])`)
    .execute()
}
