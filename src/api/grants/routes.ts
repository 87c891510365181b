// Permissions: who was given which role on a space or a collection, what it comes to, and why.
import { Type } from 'typebox'
import { allows, type MemberRole } from '../../access/policy.ts'
import { personOf } from '../../access/roles.ts'
import { forbidden } from '../../base/errors.ts'
import { Id, toList } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { type MemberAt, onMember } from '../members/place.ts'
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

const tag = 'Permissions'
const userParams = Type.Object({ userId: Id('A member of the organization.') })
const teamParams = Type.Object({ teamId: Id('A team of the organization.') })

const permissionOperations = mount(
  [inSpacePermissions, inCollectionPermissions],
  [
    operation({
      id: { space: 'inviteToSpace', collection: 'inviteToCollection' },
      method: 'POST',
      path: '',
      summary: 'Give a role to users and teams',
      description: 'All of them or none. Whoever was given another role before has this one.',
      tag,
      may: 'admin',
      scope: 'space:permissions:write',
      body: InviteUsersAndTeams,
      run: ({ context, at, body }) => invite(context, at, body),
    }),
    operation({
      id: { space: 'listUserPermissionsInSpace', collection: 'listUserPermissionsInCollection' },
      method: 'GET',
      path: '/users',
      summary: 'Users who were given a role',
      description: 'By name. What they have through teams and levels is not in it: see the aggregate.',
      tag,
      may: 'listPermissions',
      scope: 'space:permissions:read',
      query: ListPermissions,
      reply: UserPermissions,
      run: async ({ context, at, query }) =>
        toList(await listUserGrants(context.db, at.thing, query), row => toUserPermission(context.urls, row)),
    }),
    operation({
      id: { space: 'updateUserPermissionInSpace', collection: 'updateUserPermissionInCollection' },
      method: 'PATCH',
      path: '/users/{userId}',
      params: userParams,
      summary: 'Give a role to a user',
      description: 'The role null is no access, whatever would be inherited.',
      tag,
      may: 'admin',
      scope: 'space:permissions:write',
      body: ChangePermission,
      run: ({ context, at, params, body }) =>
        changePermission(context, at, { kind: 'user', id: params.userId }, body.role),
    }),
    operation({
      id: { space: 'removeUserFromSpace', collection: 'removeUserFromCollection' },
      method: 'DELETE',
      path: '/users/{userId}',
      params: userParams,
      summary: 'Take back what a user was given',
      description: 'They have what is inherited then, which may be a role as well.',
      tag,
      may: 'admin',
      scope: 'space:permissions:write',
      run: ({ context, at, params }) => deletePermission(context, at, { kind: 'user', id: params.userId }),
    }),
    operation({
      id: { space: 'listTeamPermissionsInSpace', collection: 'listTeamPermissionsInCollection' },
      method: 'GET',
      path: '/teams',
      summary: 'Teams that were given a role',
      description: 'By title.',
      tag,
      may: 'listPermissions',
      scope: 'space:permissions:read',
      query: ListPermissions,
      reply: TeamPermissions,
      run: async ({ context, at, query }) => {
        const { db, principal } = context
        return toList(await listTeamGrants(db, at.thing, principal.user.id, query), row =>
          toTeamPermission(principal, row),
        )
      },
    }),
    operation({
      id: { space: 'updateTeamPermissionInSpace', collection: 'updateTeamPermissionInCollection' },
      method: 'PATCH',
      path: '/teams/{teamId}',
      params: teamParams,
      summary: 'Give a role to a team',
      description:
        'The role null is no access for its members, unless another of their teams was given more.',
      tag,
      may: 'admin',
      scope: 'space:permissions:write',
      body: ChangePermission,
      run: ({ context, at, params, body }) =>
        changePermission(context, at, { kind: 'team', id: params.teamId }, body.role),
    }),
    operation({
      id: { space: 'removeTeamFromSpace', collection: 'removeTeamFromCollection' },
      method: 'DELETE',
      path: '/teams/{teamId}',
      params: teamParams,
      summary: 'Take back what a team was given',
      tag,
      may: 'admin',
      scope: 'space:permissions:write',
      run: ({ context, at, params }) => deletePermission(context, at, { kind: 'team', id: params.teamId }),
    }),
    operation({
      id: { space: 'listPermissionsAggregateInSpace', collection: 'listPermissionsAggregateInCollection' },
      method: 'GET',
      path: '/aggregate',
      summary: 'Everybody who has access, with their role',
      description:
        'What own roles, teams, default levels and the role in the organization come to, for each member and guest; by name.',
      tag,
      may: 'listPermissions',
      scope: 'space:permissions:read',
      query: ListAggregate,
      reply: UserPermissions,
      run: async ({ context, at, query }) =>
        toList(await listPeopleOn(context.db, at.organizationId, at.thing, query), row =>
          toAccess(context.urls, row),
        ),
    }),
    operation({
      id: { space: 'explainSpacePermission', collection: 'explainCollectionPermission' },
      method: 'GET',
      path: '/explain',
      summary: 'Why a user has the role they have',
      description:
        'Each thing from here to the root with what is said there about the user, and which of it decided. Your own role, or as an admin anybody’s.',
      tag,
      may: 'listPermissions',
      scope: 'space:permissions:read',
      query: ExplainPermission,
      reply: PermissionExplanation,
      run: async ({ context, at, query }) => {
        const { db, principal } = context
        const userId = query.user ?? principal.user.id
        // Whose role it is stands in the query, which no place reads.
        if (userId !== principal.user.id && !allows('space', 'admin', at.role))
          throw forbidden(
            `query.user: to ask about somebody else needs the role admin on this ${at.thing.kind}; yours is ${at.role}.`,
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
        id: 'listSpacesForOrganizationMember',
        method: 'GET',
        path: '/spaces',
        summary: 'Spaces that a member has a role on',
        description: 'With that role, wherever it comes from; only spaces that you may see yourself.',
        tag,
        may: 'view',
        scope: 'organization:members:read',
        query: ListSpacesOfMember,
        reply: MemberPermissions,
        run: async ({ context, at, query }) => {
          const { organization, member } = at
          const viewer = personOf(context.principal)
          const memberships = new Map(
            member.disabled ? [] : [[organization.id, member.role as MemberRole | null]],
          )
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
