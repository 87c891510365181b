// SQL over the spaces that crawlers are told about.
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export type PublicSpace = {
  readonly id: string
  /** When its head last moved. */
  readonly changed_at: Date
}

// Per statement.
const SPACES_READ = 1000

/** Those with a page that crawlers may index, as far as its own record tells, by id. */
export const listPublicSpaces = (db: Db, after: string, limit = SPACES_READ): Promise<PublicSpace[]> =>
  db
    .selectFrom('spaces')
    .select('spaces.id')
    .select(
      sql<Date>`(select revisions.created_at from revisions where revisions.id = spaces.revision_id)`.as(
        'changed_at',
      ),
    )
    .where('spaces.visibility', '=', 'public')
    .where('spaces.deleted_at', 'is', null)
    .where('spaces.id', '>', after)
    .where(
      sql<boolean>`exists (select from live_pages where live_pages.projection_id = spaces.projection_id
        and live_pages.type in ('document', 'computed') and not live_pages.hidden and not live_pages.no_index)`,
    )
    .orderBy('spaces.id')
    .limit(limit)
    .execute()

/** A text that changes with the public spaces and the heads of these. */
export async function digestPublicSpaces(db: Db, spacesMax: number): Promise<string> {
  const { rows } = await sql<{ digest: string }>`
    select coalesce(md5(string_agg(id || revision_id, ' ' order by id)), '') as digest
    from (select id, revision_id from spaces where visibility = 'public' and deleted_at is null
      order by id limit ${spacesMax}) as listed`.execute(db)
  return rows[0]?.digest ?? ''
}

/** When pages came into a space, or last changed in it, by id; without those of which no revision is known. */
export async function listPageChanges(
  db: Db,
  spaceId: string,
  pageIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (pageIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; changed_at: Date | null }>`
    select id, (
      select max((select revisions.created_at from revisions where revisions.id = page_revisions.revision_id))
      from page_revisions where page_revisions.space_id = ${spaceId} and page_revisions.page_id = one.id
    ) as changed_at
    from unnest(${[...pageIds]}::text[]) as one (id)`.execute(db)
  return new Map(
    rows.flatMap(({ id, changed_at }) => (changed_at === null ? [] : [[id, changed_at] as const])),
  )
}
