// What was decided about who may see what, kept until something that decides it is changed. Every organization has a
// number that moves with its people, teams, collections, levels and grants (table access_versions); decisions are kept
// under it, and writing content leaves them standing.

import type { InvalidatingCache } from '../platform/cache/invalidating.ts'
import { createVersionedCache, type VersionedCache } from '../platform/cache/versioned.ts'
import type { Db } from '../platform/db/database.ts'
import type { Ground } from './member-access.ts'
import type { RoleOn } from './policy.ts'
import type { Grants, VisibilitySnapshot } from './visibility-snapshot.ts'

export interface Decisions {
  /** Of one person with one token or session on one space. */
  readonly roles: VersionedCache<{ readonly role: RoleOn<'space'> | null }>
  /** What somebody was given in an organization. */
  readonly grants: VersionedCache<Grants>
  readonly visibilitySnapshots: VersionedCache<VisibilitySnapshot>
  /** What the numbers of members begin with. */
  readonly collectionTrees: VersionedCache<Ground>
}

// A role is below 200 bytes with its key; what somebody was given some KB; a layout of ten thousand spaces half a MB.
const ROLES_MAX = 50_000
const GRANTS_MAX = 2_000
const SNAPSHOTS_MAX = 50

export const createDecisions = (): Decisions => ({
  roles: createVersionedCache(ROLES_MAX),
  grants: createVersionedCache(GRANTS_MAX),
  visibilitySnapshots: createVersionedCache(SNAPSHOTS_MAX),
  collectionTrees: createVersionedCache(SNAPSHOTS_MAX),
})

/** The number of an organization, as text; the row of a space brings it along as `access_version`. */
export async function findAccessVersion(
  { db, rowCache }: { readonly db: Db; readonly rowCache: InvalidatingCache<string, object> },
  organizationId: string,
): Promise<string> {
  const row = await rowCache.get(`access-version:${organizationId}`, () =>
    db
      .selectFrom('access_versions')
      .select('version')
      .where('organization_id', '=', organizationId)
      .executeTakeFirst(),
  )
  return String((row as { version: unknown } | undefined)?.version ?? 0)
}
