// Permissions: who was granted which role on a space or a collection, the effective roles, and their reasons.

import { Type } from 'typebox'
import { allows } from '../../access/policy.ts'
import { personOf } from '../../access/roles.ts'
import { forbidden } from '../../base/errors.ts'
import { Id, toList } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { type MemberAt, onMember } from '../members/place.ts'
import { makesAdmin } from '../organizations/makes-admin.ts'
import { readSpaces } from '../spaces/reads.ts'
import { changePermission, deletePermission, invite } from './actions.ts'
import { explainRole } from './explain.ts'
import { inCollectionPermissions, inSpacePermissions, type PermissionsAt } from './place.ts'
import { listPeopleOn, listSpacesOfMember, listTeamGrants, listUserGrants } from './rows.ts'
import {
  ChangePermission,
  ExplainPermission,
  InviteUsersAndTeams,
  ListAggregate,
  ListPermissions,
  ListSpacesOfMember,
  MemberPermissions,
  PermissionExplanation,
  TeamPermissions,
  UserPermissions,
} from './schema.ts'
import { toAccess, toMemberPermission, toTeamPermission, toUserPermission } from './wire.ts'

const operation = operationsOf<'space' | 'collection', PermissionsAt>()

const common = { tag: 'Permissions' } as const
const listing = {
  ...common,
  method: 'GET',
  may: 'listPermissions',
  scope: 'space:permissions:read',
} as const
const granting = { ...common, may: 'admin', scope: 'space:permissions:write' } as const
const ofUser = {
  path: '/users/{userId}',
  params: Type.Object({ userId: Id('A member of the organization.') }),
} as const
const ofTeam = {
  path: '/teams/{teamId}',
  params: Type.Object({ teamId: Id('A team of the organization.') }),
} as const

const permissionOperations = mount(
  [inSpacePermissions, inCollectionPermissions],
  [
    operation({
      ...granting,
      id: { space: 'inviteToSpace', collection: 'inviteToCollection' },
      method: 'POST',
      path: '',
      summary: 'Grant a role to users and teams',
      description: 'To all of them or none. It replaces a role granted before.',
      body: InviteUsersAndTeams,
      sensitive: makesAdmin((body: InviteUsersAndTeams) => [body.role]),
      run: ({ context, at, body }) => invite(context, at, body),
    }),
    operation({
      ...listing,
      id: { space: 'listUserPermissionsInSpace', collection: 'listUserPermissionsInCollection' },
      path: '/users',
      summary: 'List users who were granted a role',
      description: 'By name. Roles through teams and default levels are not included: see the aggregate.',
      query: ListPermissions,
      reply: UserPermissions,
      run: async ({ context: { db, urls }, at: { resource }, query }) =>
        toList(await listUserGrants(db, resource, query), toUserPermission, urls),
    }),
    operation({
      ...granting,
      ...ofUser,
      id: { space: 'updateUserPermissionInSpace', collection: 'updateUserPermissionInCollection' },
      method: 'PATCH',
      summary: 'Grant a role to a user',
      description: 'The role null means no access, even if a role would be inherited.',
      body: ChangePermission,
      sensitive: makesAdmin((body: ChangePermission) => [body.role]),
      run: ({ context, at, params, body }) =>
        changePermission(context, at, { kind: 'user', id: params.userId }, body.role),
    }),
    operation({
      ...granting,
      ...ofUser,
      id: { space: 'removeUserFromSpace', collection: 'removeUserFromCollection' },
      method: 'DELETE',
      summary: 'Revoke the grant of a user',
      description: 'The user then has the inherited role, if any.',
      run: ({ context, at, params }) => deletePermission(context, at, { kind: 'user', id: params.userId }),
    }),
    operation({
      ...listing,
      id: { space: 'listTeamPermissionsInSpace', collection: 'listTeamPermissionsInCollection' },
      path: '/teams',
      summary: 'List teams that were granted a role',
      description: 'By title.',
      query: ListPermissions,
      reply: TeamPermissions,
      run: async ({ context: { db, principal }, at, query }) =>
        toList(await listTeamGrants(db, at.resource, principal.user.id, query), toTeamPermission, principal),
    }),
    operation({
      ...granting,
      ...ofTeam,
      id: { space: 'updateTeamPermissionInSpace', collection: 'updateTeamPermissionInCollection' },
      method: 'PATCH',
      summary: 'Grant a role to a team',
      description:
        'The role null means no access for its members, unless another of their teams was granted more.',
      body: ChangePermission,
      sensitive: makesAdmin((body: ChangePermission) => [body.role]),
      run: ({ context, at, params, body }) =>
        changePermission(context, at, { kind: 'team', id: params.teamId }, body.role),
    }),
    operation({
      ...granting,
      ...ofTeam,
      id: { space: 'removeTeamFromSpace', collection: 'removeTeamFromCollection' },
      method: 'DELETE',
      summary: 'Revoke the grant of a team',
      run: ({ context, at, params }) => deletePermission(context, at, { kind: 'team', id: params.teamId }),
    }),
    operation({
      ...listing,
      id: { space: 'listPermissionsAggregateInSpace', collection: 'listPermissionsAggregateInCollection' },
      path: '/aggregate',
      summary: 'List everyone with access, and their role',
      description:
        'The effective role of each member and guest, from grants, teams, default levels and the role in the organization; by name.',
      query: ListAggregate,
      reply: UserPermissions,
      run: async ({ context: { db, urls }, at: { organizationId, resource }, query }) =>
        toList(await listPeopleOn(db, organizationId, resource, query), toAccess, urls),
    }),
    operation({
      ...listing,
      id: { space: 'explainSpacePermission', collection: 'explainCollectionPermission' },
      path: '/explain',
      summary: 'Explain the role of a user',
      description:
        'Each resource from here to the root, with its grants and default level, and which of them decided. You can ask for your own role, and as an admin for anyone’s.',
      query: ExplainPermission,
      reply: PermissionExplanation,
      run: async ({ context: { db, principal }, at, query }) => {
        const userId = query.user ?? principal.user.id
        // The user is in the query, so admission could not check it.
        if (userId !== principal.user.id && !allows('space', 'admin', at.role))
          throw forbidden(
            `query.user: to ask about somebody else needs the role admin on this ${at.resource.kind}; yours is ${at.role}.`,
          )
        return explainRole(db, principal, at, userId)
      },
    }),
  ],
)

export const grantOperations = [
  ...permissionOperations,
  ...mount(
    [onMember],
    [
      operationsOf<'member', MemberAt>()({
        ...common,
        id: 'listSpacesForOrganizationMember',
        method: 'GET',
        path: '/spaces',
        summary: 'List spaces that a member has a role on',
        description: 'With the effective role; only spaces that you may see yourself.',
        may: 'view',
        scope: 'organization:members:read',
        query: ListSpacesOfMember,
        reply: MemberPermissions,
        run: async ({ context, at, query }) => {
          const { organization, member } = at
          const viewer = personOf(context.principal)
          const memberships = new Map(member.disabled ? [] : [[organization.id, member.role]])
          const seen = await listSpacesOfMember(
            context.db,
            organization.id,
            viewer,
            { userId: member.id, memberships },
            query,
          )
          const ranks = new Map(seen.items.map(({ id, permission }) => [id, permission]))
          const spaces = await readSpaces(context, seen)
          return {
            ...spaces,
            items: spaces.items.map(space => toMemberPermission(ranks.get(space.id) ?? 0, space)),
          }
        },
      }),
    ],
  ),
]
