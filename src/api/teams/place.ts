// A team of an organization: its members see it, and people who may list teams; its owners and admins manage it.
import { allows, type RoleOn } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import { roleInOrganization } from '../../access/roles.ts'
import { Id } from '../../http/list.ts'
import { below } from '../../http/place.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { findMembership } from './membership.ts'
import { findTeam, type TeamRow } from './rows.ts'

export type TeamAt = OrganizationAt & { readonly team: TeamRow; readonly role: RoleOn<'team'> | null }

export const onTeam = below(inOrganization, {
  subject: 'team',
  path: '/teams/{teamId}',
  params: { teamId: Id('A team of the organization.') },
  noun: 'team',
  async find({ db, principal }, at, { teamId }): Promise<TeamAt | undefined> {
    const team = await findTeam(db, at.organization.id, teamId)
    if (team === undefined) return undefined
    const own = principal.kind === 'user' ? await findMembership(db, team.id, principal.user.id) : null
    return { ...at, team, role: roleOnTeam(principal, at.organization.id, own) }
  },
  role: (_principal, { role }) => role,
})

/** `own`: the caller's role in the team, null if they are not in it. */
export function roleOnTeam(
  principal: Principal,
  organizationId: string,
  own: 'owner' | 'member' | null,
): RoleOn<'team'> | null {
  const role = roleInOrganization(principal, organizationId)
  if (role === null) return null
  if (allows('organization', 'admin', role)) return 'admin'
  return own ?? (allows('organization', 'listTeams', role) ? 'onlooker' : null)
}
