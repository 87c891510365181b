// SQL over memberships.
import type { MemberRole } from '../../access/policy.ts'
import type { Trx } from '../../platform/db/open.ts'

/** Makes a person a member; who is one already keeps the role they have. */
export const insertMember = (
  trx: Trx,
  member: { organization_id: string; user_id: string; role: MemberRole | null },
) =>
  trx
    .insertInto('members')
    .values(member)
    .onConflict(conflict => conflict.columns(['organization_id', 'user_id']).doNothing())
    .execute()
