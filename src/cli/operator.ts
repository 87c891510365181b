// On whose behalf a command acts: the first administrator of an organization.
import type { UserPrincipal } from '../access/principal.ts'
import { findUser } from '../api/accounts/rows.ts'
import { missing } from '../base/errors.ts'
import type { Services } from '../http/context.ts'

/**
 * The administrator of the named organization, or else of the oldest one. Their only membership is that organization.
 */
export async function findOperator(
  { db }: Services,
  organizationId: string | undefined,
): Promise<UserPrincipal> {
  const query = db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(['members.user_id', 'organizations.id'])
    .where('members.role', '=', 'admin')
    .orderBy('organizations.created_at')
    .orderBy('members.joined_at')
    .limit(1)
  const row = await (organizationId === undefined
    ? query
    : query.where('organizations.id', '=', organizationId)
  ).executeTakeFirst()
  const user = row === undefined ? undefined : await findUser(db, row.user_id)
  if (row === undefined || user === undefined) throw missing('organization')
  return {
    kind: 'user',
    user,
    tokenId: null,
    session: null,
    scopes: null,
    expiresAt: null,
    onlyIn: null,
    memberships: new Map([[row.id, 'admin']]),
  }
}
