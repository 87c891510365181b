// Decisions about who may see what, cached until something that decides them changes. Every organization has a version
// that moves with its members, teams, collections, default levels and grants (table access_versions). Decisions are
// cached under it, so writing content keeps them.

import {
  createImmutableCache,
  entries,
  type ImmutableCache,
  type InvalidatingCache,
} from '../platform/cache/cache.ts'
import type { Db } from '../platform/db/database.ts'
import type { RoleOn } from './policy.ts'
import type { GrantRow, Grants, VisibilitySnapshot } from './visibility-snapshot.ts'

export interface Decisions {
  /** Of one person with one token or session on one space. */
  readonly roles: ImmutableCache<{ readonly role: RoleOn<'space'> | null }>
  /** Of one person in an organization: what they and their teams were granted. */
  readonly grants: ImmutableCache<{ readonly own: Grants; readonly teams: Grants }>
  /** Of organizations. */
  readonly snapshots: ImmutableCache<VisibilitySnapshot>
  /** Of organizations: what each team was granted. */
  readonly teamGrants: ImmutableCache<ReadonlyMap<string, readonly GrantRow[]>>
}

// A role takes less than 200 bytes with its key, what somebody was granted some KB, and a snapshot of a thousand
// collections half a MB.
const ROLES_MAX = 50_000
const GRANTS_MAX = 2_000
const SNAPSHOTS_MAX = 50

export const createDecisions = (): Decisions => ({
  roles: createImmutableCache(entries(ROLES_MAX)),
  grants: createImmutableCache(entries(GRANTS_MAX)),
  snapshots: createImmutableCache(entries(SNAPSHOTS_MAX)),
  teamGrants: createImmutableCache(entries(SNAPSHOTS_MAX)),
})

/** The number of an organization, as text; the row of a space brings it along as `access_version`. */
export async function findAccessVersion(
  { db, rowCache }: { readonly db: Db; readonly rowCache: InvalidatingCache<object> },
  organizationId: string,
): Promise<string> {
  const load = () =>
    db
      .selectFrom('access_versions')
      .select('version')
      .where('organization_id', '=', organizationId)
      .executeTakeFirst()
  const row = await rowCache.get(`access-version:${organizationId}`, load, () => [organizationId])
  return String(row?.version ?? 0)
}
