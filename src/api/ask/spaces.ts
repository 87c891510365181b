// The spaces that somebody is answered from.
import { sql } from 'kysely'
import { MAY_SEE_SPACE, type Person, spacesWithEffectiveRole } from '../../access/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { SeenHead } from '../spaces/lists.ts'

export type AskedSpace = SeenHead

/** The spaces that searches of an organization cover and the person may see now. Not cached: nothing is revealed after access ends. */
export const listAskedSpaces = (db: Db, organizationId: string, person: Person): Promise<AskedSpace[]> =>
  spacesWithEffectiveRole(db, person, organizationId)
    .select(['spaces.id', 'spaces.title', 'spaces.revision_id', 'spaces.projection_id', 'spaces.language'])
    .select(
      sql<Buffer>`(select root_hash from revisions where revisions.id = spaces.revision_id)`.as('root_hash'),
    )
    .where('spaces.organization_id', '=', organizationId)
    .where('spaces.search_scope', '=', 'organization')
    .where(MAY_SEE_SPACE)
    .orderBy('spaces.updated_at', 'desc')
    .orderBy('spaces.id')
    .execute()
