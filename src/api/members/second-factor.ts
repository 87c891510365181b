// Who of the members has a second factor, for the admins of the organization, who can demand one.
import { sql } from 'kysely'
import { allows } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import { roleInOrganization } from '../../access/roles.ts'
import type { Db } from '../../platform/db/database.ts'

/** Whether the person of a row `users` has one. Recovery codes alone are none. */
export const HAS_FACTOR = sql<boolean>`(
  exists (select from totp_secrets where totp_secrets.user_id = users.id and totp_secrets.confirmed_at is not null)
  or exists (select from passkeys where passkeys.user_id = users.id))`

export const seesFactors = (principal: Principal, organizationId: string): boolean =>
  allows('organization', 'manageMembers', roleInOrganization(principal, organizationId))

/** Those of these people who have one. */
export async function findFactorHolders(db: Db, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('users')
    .select('users.id')
    .where(sql<boolean>`users.id = any(${[...userIds]}::text[])`)
    .where(HAS_FACTOR)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
