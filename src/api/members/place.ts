// A member of an organization, for themselves, for people who may list members, and for admins. A guest sees only
// themselves.
import { allows, type RoleOn } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import { roleInOrganization } from '../../access/roles.ts'
import { Id } from '../../http/list.ts'
import { rowBelow } from '../../http/place.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { findMember } from './rows.ts'
import type { MemberRow } from './wire.ts'

export type MemberAt = OrganizationAt & { readonly member: MemberRow }

export const onMember = rowBelow(inOrganization, 'member', {
  subject: 'member',
  path: '/members/{userId}',
  params: { userId: Id('A member of the organization.') },
  find: ({ db }, { organization }, { userId }) => findMember(db, organization.id, userId),
  role: (principal, { organization, member }) => roleOnMember(principal, organization.id, member.id),
})

export function roleOnMember(
  principal: Principal,
  organizationId: string,
  memberId: string,
): RoleOn<'member'> | null {
  const role = roleInOrganization(principal, organizationId)
  if (role === null) return null
  if (allows('organization', 'manageMembers', role)) return 'admin'
  if (principal.kind === 'user' && principal.user.id === memberId) return 'self'
  return allows('organization', 'listMembers', role) ? 'onlooker' : null
}
