// SQL over share links and the keys of visitors' tokens.
import { type Selectable, sql, type Updateable } from 'kysely'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { ShareLinks } from '../../platform/db/tables.ts'

export type ShareLinkRow = Selectable<ShareLinks>

export const findShareLink = (db: Db, spaceId: string, id: string): Promise<ShareLinkRow | undefined> =>
  db
    .selectFrom('share_links')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Oldest first, so that a new one does not move the others. */
export const listShareLinks = (db: Db, spaceId: string, query: PageQuery) =>
  page(db.selectFrom('share_links').selectAll().where('space_id', '=', spaceId), {
    question: { list: 'share links', space: spaceId },
    by: [
      ['created_at', 'asc'],
      ['id', 'asc'],
    ],
    ...query,
  })

export const countShareLinks = (db: Db, spaceId: string): Promise<number> =>
  countRows(db.selectFrom('share_links').where('space_id', '=', spaceId))

export const insertShareLink = (
  trx: Trx,
  link: { id: string; space_id: string; name: string; created_by: string },
): Promise<ShareLinkRow> =>
  trx
    .insertInto('share_links')
    .values({ ...link, created_at: sql<Date>`clock_timestamp()` })
    .returningAll()
    .executeTakeFirstOrThrow()

/** The row, locked until the transaction ends. */
export const lockShareLink = (trx: Trx, id: string): Promise<ShareLinkRow | undefined> =>
  trx.selectFrom('share_links').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const updateShareLink = (
  trx: Trx,
  id: string,
  change: Pick<Updateable<ShareLinks>, 'name' | 'is_active'>,
): Promise<ShareLinkRow> =>
  trx.updateTable('share_links').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const removeShareLink = (trx: Trx, id: string): Promise<ShareLinkRow | undefined> =>
  trx.deleteFrom('share_links').where('id', '=', id).returningAll().executeTakeFirst()

/** When links were last used. Several processes may say the same hour: the first of them writes. */
export async function updateLinkUses(db: Db, uses: ReadonlyMap<string, Date>): Promise<void> {
  if (uses.size === 0) return
  const times = [...uses.values()].map(date => date.toISOString())
  await sql`update share_links set last_used_at = uses.used_at
    from unnest(${[...uses.keys()]}::text[], ${times}::timestamptz[]) as uses (id, used_at)
    where share_links.id = uses.id
      and (share_links.last_used_at is null or share_links.last_used_at < uses.used_at)`.execute(db)
}

/** Inserts the row of a space's first key, which has none yet. */
export const insertFirstKey = (trx: Trx, spaceId: string, createdAt: Date) =>
  trx
    .insertInto('visitor_keys')
    .values({ id: spaceId, space_id: spaceId, created_at: createdAt })
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()

export const insertKey = (trx: Trx, key: { id: string; space_id: string; created_by: string }) =>
  trx
    .insertInto('visitor_keys')
    .values({ ...key, created_at: sql<Date>`clock_timestamp()` })
    .execute()

/** Ends the keys of a space at an instant; keys that end earlier are not extended. */
export const retireKeys = (trx: Trx, spaceId: string, at: Date) =>
  trx
    .updateTable('visitor_keys')
    .set({ retires_at: sql<Date>`least(retires_at, ${at})` })
    .where('space_id', '=', spaceId)
    .execute()

/** Removes keys that ended before an instant. */
export const removeRetiredKeys = (trx: Trx, spaceId: string, before: Date) =>
  trx.deleteFrom('visitor_keys').where('space_id', '=', spaceId).where('retires_at', '<', before).execute()
