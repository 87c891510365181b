// The spaces a visitor finds on the home page.
import { sql } from 'kysely'
import type { Principal } from '../access/principal.ts'
import { type SpaceRow, visibleSpaces } from '../api/spaces/rows.ts'
import type { Db } from '../platform/db/open.ts'

const SPACES_MAX = 500

/** Public spaces, and those of the visitor's organizations that they may see; by title. */
export const listReadableSpaces = (
  db: Db,
  visitor: Principal,
): Promise<(SpaceRow & { page_count: number })[]> =>
  visibleSpaces(db, visitor)
    .select(
      sql<number>`(select count(*)::integer from live_pages
        where live_pages.projection_id = spaces.projection_id and live_pages.type = 'document')`.as(
        'page_count',
      ),
    )
    .orderBy('spaces.title')
    .orderBy('spaces.id')
    .limit(SPACES_MAX)
    .execute()
