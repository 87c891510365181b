// Teams and their members.
import { Type } from 'typebox'
import { findMemberAccess } from '../../access/member-access.ts'
import { allows } from '../../access/policy.ts'
import { orMissing } from '../../base/errors.ts'
import type { Sensitive } from '../../http/confirmation.ts'
import { Id, Paging, toList } from '../../http/list.ts'
import type { SignedInContext } from '../../http/operation.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { type MemberAt, onMember, roleOnMember } from '../members/place.ts'
import { toMember } from '../members/wire.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import {
  changeTeam,
  changeTeamMembers,
  createTeam,
  deleteTeam,
  deleteTeamMember,
  putTeamMember,
} from './actions.ts'
import { listTeamMembers } from './membership.ts'
import { onTeam, roleOnTeam, type TeamAt } from './place.ts'
import { findTeam, listTeams, listTeamsOfMember, type SeenTeam } from './rows.ts'
import {
  ChangeTeam,
  ChangeTeamMembers,
  CreateTeam,
  ListTeams,
  ListTeamsOfMember,
  OrganizationTeamMembers,
  PEOPLE_MAX,
  PutTeamMember,
  Team,
  Teams,
  TeamsOfMember,
} from './schema.ts'
import { toTeam } from './wire.ts'

const inOrganizationOperation = operationsOf<'organization', OrganizationAt>()
const onMemberOperation = operationsOf<'member', MemberAt>()
const operation = operationsOf<'team', TeamAt>()

const reading = {
  method: 'GET',
  tag: 'Teams',
  may: 'view',
  scope: 'organization:members:read',
} as const
const writing = { tag: 'Teams', scope: 'organization:members:write' } as const

/** Sensitive wherever the team is an admin of something or not: what it was given, and will be, is not in the body. */
const addsMembers = <Body>(countOf: (body: Body) => number): Sensitive<Body> => ({
  when: 'adds members, or changes their roles',
  is: body => countOf(body) > 0,
})

const TeamMemberId = Type.Object({ userId: Id('A member of the organization.') })

/** A team of a list, with the permissions of the caller. */
const toSeenTeam = ({ principal }: SignedInContext, row: SeenTeam): Team =>
  toTeam(row, roleOnTeam(principal, row.organization_id, row.own))

export const teamOperations = [
  ...mount(
    [inOrganization],
    [
      inOrganizationOperation({
        ...reading,
        id: 'listTeamsInOrganizationById',
        path: '/teams',
        summary: 'List teams of an organization',
        description: 'By title.',
        may: 'listTeams',
        query: ListTeams,
        reply: Teams,
        run: async ({ context, at, query }) =>
          toList(
            await listTeams(context.db, at.organization.id, context.principal.user.id, query),
            toSeenTeam,
            context,
          ),
      }),
      inOrganizationOperation({
        ...writing,
        id: 'createOrganizationTeam',
        method: 'PUT',
        path: '/teams',
        summary: 'Create a team',
        description: `With at most ${PEOPLE_MAX} members at once; you are not a member unless you list yourself.`,
        may: 'ownTeam',
        body: CreateTeam,
        reply: Team,
        sensitive: addsMembers(({ members = [] }: CreateTeam) => members.length),
        status: 201,
        run: async ({ context, at, body }) =>
          toTeam(await createTeam(context, at.organization.id, body), 'admin'),
      }),
    ],
  ),
  ...mount(
    [onMember],
    [
      onMemberOperation({
        ...reading,
        id: 'listTeamsForOrganizationMember',
        path: '/teams',
        summary: 'List teams of a member',
        description: 'By title, with the role of the member in each.',
        query: ListTeamsOfMember,
        reply: TeamsOfMember,
        run: async ({ context, at, query }) => {
          const { db, principal } = context
          const rows = await listTeamsOfMember(db, at.organization.id, at.member.id, principal.user.id, query)
          return toList(rows, row => ({ team: toSeenTeam(context, row), member: { role: row.role } }))
        },
      }),
    ],
  ),
  ...mount(
    [onTeam],
    [
      operation({
        ...reading,
        id: 'getTeamInOrganizationById',
        path: '',
        summary: 'Get a team',
        reply: Team,
        run: async ({ at }) => toTeam(at.team, at.role),
      }),
      operation({
        ...writing,
        id: 'updateTeamInOrganizationById',
        method: 'PATCH',
        path: '',
        summary: 'Rename a team',
        may: 'admin',
        body: ChangeTeam,
        reply: Team,
        run: async ({ context, at, body }) => {
          await changeTeam(context, at, body)
          const row = await findTeam(context.db, at.organization.id, at.team.id)
          return toTeam(orMissing(row, 'team'), at.role)
        },
      }),
      operation({
        ...writing,
        id: 'removeTeamFromOrganizationById',
        method: 'DELETE',
        path: '',
        summary: 'Delete a team',
        description: 'With its grants; its members stay members of the organization.',
        may: 'admin',
        absent: 'done',
        run: ({ context, at }) => deleteTeam(context, at),
      }),
      operation({
        ...reading,
        id: 'listTeamMembersInOrganizationById',
        path: '/members',
        summary: 'List members of a team',
        description: 'In the order in which they joined.',
        query: Paging,
        reply: OrganizationTeamMembers,
        run: async ({ context, at, query }) => {
          const { urls, principal } = context
          const rows = await listTeamMembers(context.db, at.team, query)
          const ids = rows.items.map(({ id }) => id)
          const reach = await findMemberAccess(context, at.organization.id, ids)
          return toList(rows, row => ({
            organization: toMember(urls, row, reach(row.id)),
            team: { role: row.team_role },
            permissions: {
              view: allows('member', 'view', roleOnMember(principal, at.organization.id, row.id)),
            },
          }))
        },
      }),
      operation({
        ...writing,
        id: 'updateMembersInOrganizationTeam',
        method: 'PUT',
        path: '/members',
        summary: 'Add, change and remove members of a team',
        description: `At most ${PEOPLE_MAX} of each at once. \`remove\` is applied first.`,
        may: 'manageMembers',
        body: ChangeTeamMembers,
        sensitive: addsMembers(
          ({ add = [], memberships = {} }: ChangeTeamMembers) => add.length + Object.keys(memberships).length,
        ),
        run: ({ context, at, body }) => changeTeamMembers(context, at, body),
      }),
      operation({
        ...writing,
        id: 'addMemberToOrganizationTeamById',
        method: 'PUT',
        path: '/members/{userId}',
        params: TeamMemberId,
        summary: 'Add a member to a team, or change their role there',
        description: 'Without a role, people in the team keep theirs and others become a member.',
        may: 'manageMembers',
        body: PutTeamMember,
        isBodyOptional: true,
        sensitive: true,
        run: ({ context, at, params, body }) => putTeamMember(context, at, params.userId, body.role ?? null),
      }),
      operation({
        ...writing,
        id: 'deleteMemberFromOrganizationTeamById',
        method: 'DELETE',
        path: '/members/{userId}',
        params: TeamMemberId,
        summary: 'Remove a member from a team',
        may: 'manageMembers',
        absent: 'done',
        run: ({ context, at, params }) => deleteTeamMember(context, at, params.userId),
      }),
    ],
  ),
]
