// The wire of permissions.
import { type Static, Type } from 'typebox'
import { MEMBER_ROLES } from '../../access/policy.ts'
import { ListOf, model, Nullable, OneOf, PageOf } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { User } from '../accounts/schema.ts'
import { Role } from '../organizations/schema.ts'
import { Space } from '../spaces/schema.ts'
import { Team } from '../teams/schema.ts'

const Permission = Type.Union([Role, Type.Null()], {
  description: 'null means no access, and occurs only with `role=none`.',
})

export const UserContentPermission = model('UserContentPermission', { permission: Permission, user: User })
export type UserContentPermission = Static<typeof UserContentPermission>
export const UserPermissions = ListOf(UserContentPermission)

export const TeamContentPermission = model('TeamContentPermission', { permission: Permission, team: Team })
export type TeamContentPermission = Static<typeof TeamContentPermission>
export const TeamPermissions = ListOf(TeamContentPermission)

export const MemberContentPermission = model('MemberContentPermission', { permission: Role, space: Space })
export type MemberContentPermission = Static<typeof MemberContentPermission>
export const MemberPermissions = ListOf(MemberContentPermission)

export const ListPermissions = PageOf({
  role: Type.Optional(
    OneOf(
      [...MEMBER_ROLES, 'none'],
      'Octavo extension: only grants of this role; `none` lists grants of no access, which are left out otherwise.',
    ),
  ),
})
export type ListPermissions = Static<typeof ListPermissions>

export const ListAggregate = PageOf({
  role: Type.Optional(OneOf(MEMBER_ROLES, 'Only those whose role comes to this.')),
})
export type ListAggregate = Static<typeof ListAggregate>

export const ListSpacesOfMember = PageOf({
  order: Type.Optional(OneOf(['asc', 'desc'], 'By position; `desc` when absent.')),
})
export type ListSpacesOfMember = Static<typeof ListSpacesOfMember>

export const ChangePermission = Type.Object({
  role: Type.Union([Role, Type.Null()], {
    description:
      'null means no access, even if a role would be inherited; delete the entry to inherit again.',
  }),
})
export type ChangePermission = Static<typeof ChangePermission>

/** For more people than this, make a team. */
export const INVITED_MAX = 1000
const Invited = (kind: 'user' | 'team') =>
  Type.Optional(Type.Array(RefTo(kind), { minItems: 1, maxItems: INVITED_MAX }))

export const InviteUsersAndTeams = Type.Object({
  role: Role,
  users: Invited('user'),
  teams: Invited('team'),
})
export type InviteUsersAndTeams = Static<typeof InviteUsersAndTeams>

export const ExplainPermission = Type.Object({
  user: Type.Optional(RefTo('user', 'Whose role; your own when absent.')),
})

const Kind = OneOf(['space', 'collection'])
const NoAccess = { description: 'null: no access.' }
const GivenRole = Type.Union([Role, Type.Null()], NoAccess)
const Teams = Type.Array(Type.Object({ id: Type.String(), title: Type.String(), role: GivenRole }))

const ExplainedStep = model('PermissionStep', {
  object: Kind,
  id: Type.String(),
  title: Type.Optional(
    Type.String({
      description: 'Absent, like everything else here, if you may not see the collection.',
    }),
  ),
  defaultLevel: Type.Optional(Type.Union([Role, OneOf(['inherit']), Type.Null()])),
  given: Type.Optional(
    Type.Union([Role, Type.Null()], {
      description: 'The role granted to the user here. Absent: none; null: no access.',
    }),
  ),
  teams: Type.Optional(Teams),
})
export type ExplainedStep = Static<typeof ExplainedStep>

const BECAUSE = [
  'organization-admin',
  'user',
  'team',
  'default-level',
  'organization-role',
  'stranger',
  'disabled',
] as const

export const PermissionExplanation = model('PermissionExplanation', {
  object: OneOf(['permission-explanation']),
  user: Type.String(),
  role: Nullable(Role),
  because: OneOf(
    BECAUSE,
    'What decided: being an admin of the organization, a grant of the user, grants of their teams, the default level, or the role in the organization; `stranger` is not a member, `disabled` a member who is locked out.',
  ),
  decidedAt: Type.Optional(
    Type.Object(
      { object: Kind, id: Type.String() },
      { description: 'The resource that decided; absent: the organization.' },
    ),
  ),
  teams: Type.Array(Type.String(), { description: 'The teams that the role comes from, by id.' }),
  organizationRole: Type.Optional(
    Type.Union([Role, Type.Null()], { description: 'null: a guest. Absent: not a member.' }),
  ),
  visitor: Type.Optional(
    Type.Boolean({
      description: 'For a space: whether they may read it without a role, because it is published to them.',
    }),
  ),
  text: Type.String({ description: 'The same in words.' }),
  way: Type.Array(ExplainedStep, { description: 'From the resource itself to the root.' }),
})
export type PermissionExplanation = Static<typeof PermissionExplanation>
