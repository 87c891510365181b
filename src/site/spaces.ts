// The spaces a visitor finds on the home page.
import type { Principal } from '../access/principal.ts'
import { personOf } from '../access/roles.ts'
import { listOrganizations } from '../api/organizations/rows.ts'
import { type SpaceRow, visibleSpaces } from '../api/spaces/rows.ts'
import type { Db } from '../platform/db/database.ts'

const SPACES_MAX = 500

export type ListedSpace = Pick<SpaceRow, 'id' | 'title' | 'emoji' | 'visibility' | 'updated_at'>

/** Public spaces, and those of the visitor's organizations that they may see; by title. */
export const listReadableSpaces = (db: Db, visitor: Principal): Promise<ListedSpace[]> =>
  visibleSpaces(db, personOf(visitor))
    .select(['spaces.id', 'spaces.title', 'spaces.emoji', 'spaces.visibility', 'spaces.updated_at'])
    .orderBy('spaces.title')
    .orderBy('spaces.id')
    .limit(SPACES_MAX)
    .execute()

/** Whether the workspace has something for this visitor. */
export async function hasOrganization(db: Db, visitor: Principal): Promise<boolean> {
  if (visitor.kind !== 'user') return false
  const { items } = await listOrganizations(db, visitor.user.id, visitor.onlyIn, { limit: 1 })
  return items.length > 0
}
