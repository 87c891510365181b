// Which role a principal has on a thing: pure over the principal and the thing's own row (api-facts §8-44).
import { MEMBER_ROLES, type MemberRole, type RoleOn } from './policy.ts'
import type { Principal } from './principal.ts'

export function roleInOrganization(
  principal: Principal,
  organizationId: string,
): RoleOn<'organization'> | null {
  if (principal.kind === 'anonymous') return null
  const role = principal.memberships.get(organizationId)
  return role === undefined ? null : (role ?? 'guest')
}

/** The columns of a space that decide who may do what with it. */
export type SpaceAccess = {
  readonly organization_id: string
  readonly default_level: string
  readonly visibility: string
}

/**
 * Members: admins of the organization are admins everywhere; otherwise the space's default level, `inherit` being the
 * role in the organization. Whoever has no role is a visitor where the space is open to everyone, else a stranger.
 */
export function roleOnSpace(principal: Principal, space: SpaceAccess): RoleOn<'space'> | null {
  return memberRoleOnSpace(principal, space) ?? (isOpen(space) ? 'visitor' : null)
}

function memberRoleOnSpace(principal: Principal, space: SpaceAccess): MemberRole | null {
  const inherited = roleInOrganization(principal, space.organization_id)
  return inherited === null || inherited === 'guest' ? null : roleOfMemberOnSpace(inherited, space)
}

/** The role on a space that follows from a role in its organization. */
export function roleOfMemberOnSpace(
  inherited: MemberRole,
  space: Pick<SpaceAccess, 'default_level'>,
): MemberRole | null {
  if (inherited === 'admin') return inherited
  if (space.default_level === 'none') return null
  if (space.default_level === 'inherit') return inherited
  return MEMBER_ROLES.find(role => role === space.default_level) ?? null
}

const isOpen = (space: SpaceAccess): boolean =>
  space.visibility === 'public' || space.visibility === 'unlisted'
