import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/database.ts'

/** Copies a space this many times, as `Number 1` and so on; every other copy is in the collection. */
export async function copySpace(
  db: Db,
  spaceId: string,
  { count, collectionId }: { readonly count: number; readonly collectionId: string },
): Promise<void> {
  await sql`insert into spaces (id, organization_id, parent_id, position, title, emoji, visibility, revision_id,
      projection_id)
    select id || 'x' || n, organization_id, case when n % 2 = 0 then ${collectionId} end, position || lpad(n::text, 5, '0'),
      'Number ' || n, emoji, visibility, revision_id, projection_id
    from spaces, generate_series(1, ${count}::int) as n where id = ${spaceId}`.execute(db)
}
