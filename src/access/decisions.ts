// Decisions about who may see what, cached until something they depend on changes. Each organization has a version
// that advances with its members, teams, collections, default levels and grants (table access_versions). Decisions
// are cached under it, so writing content keeps them.

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
  /** For one person, with one token or session, on one space. */
  readonly roles: ImmutableCache<{ readonly role: RoleOn<'space'> | null }>
  /** For one person in an organization: what they and their teams were granted. */
  readonly grants: ImmutableCache<{ readonly own: Grants; readonly teams: Grants }>
  /** By organization. */
  readonly snapshots: ImmutableCache<VisibilitySnapshot>
  /** By organization: what each team was granted. */
  readonly teamGrants: ImmutableCache<ReadonlyMap<string, readonly GrantRow[]>>
}

// A role takes less than 200 bytes with its key, a person's grants a few KB, and a snapshot of a thousand collections
// half a MB.
const ROLES_MAX = 50_000
const GRANTS_MAX = 2_000
const SNAPSHOTS_MAX = 50

export const createDecisions = (): Decisions => ({
  roles: createImmutableCache(entries(ROLES_MAX)),
  grants: createImmutableCache(entries(GRANTS_MAX)),
  snapshots: createImmutableCache(entries(SNAPSHOTS_MAX)),
  teamGrants: createImmutableCache(entries(SNAPSHOTS_MAX)),
})

/** An organization's access version, as text; the row of a space includes it as `access_version`. */
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
