// Converts rows of permissions to their wire format.
import type { MemberRole } from '../../access/policy.ts'
import type { UserPrincipal } from '../../access/principal.ts'
import { type GrantedRole, roleOfRank } from '../../access/roles.ts'
import { assert } from '../../base/assert.ts'
import type { Urls } from '../../http/urls.ts'
import { type Person, toUser } from '../accounts/wire.ts'
import type { Space } from '../spaces/schema.ts'
import { roleOnTeam } from '../teams/place.ts'
import { toTeam } from '../teams/wire.ts'
import type { TeamGrantRow, UserGrantRow } from './rows.ts'
import type { MemberContentPermission, TeamContentPermission, UserContentPermission } from './schema.ts'

const toPermission = (given: GrantedRole): MemberRole | null => (given === 'none' ? null : given)

export const toUserPermission = (urls: Urls, row: UserGrantRow): UserContentPermission => ({
  permission: toPermission(row.given),
  user: toUser(urls, row),
})

export const toTeamPermission = (viewer: UserPrincipal, row: TeamGrantRow): TeamContentPermission => ({
  permission: toPermission(row.given),
  team: toTeam(row, roleOnTeam(viewer, row.organization_id, row.own)),
})

export const toAccess = (urls: Urls, row: Person & { readonly rank: number }): UserContentPermission => ({
  permission: roleOfRank(row.rank),
  user: toUser(urls, row),
})

export function toMemberPermission(rank: number, space: Space): MemberContentPermission {
  const permission = roleOfRank(rank)
  assert(permission !== null, 'a space without a role is in no such list')
  return { permission, space }
}
