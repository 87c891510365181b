// The wire of teams.
import { type Static, Type } from 'typebox'
import { ListOf, model, OneOf, PageOf, Timestamp } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { Member } from '../members/schema.ts'

/** As directories name groups: Entra ID up to 256 characters. */
export const TITLE_CHARACTERS_MAX = 256
/** People that one call adds, changes or removes, each. */
export const PEOPLE_MAX = 1000
const TEAM_ROLES = ['owner', 'member'] as const
export const TEAM_PERMISSIONS = ['admin', 'view'] as const

const Title = Type.String({ minLength: 1, maxLength: TITLE_CHARACTERS_MAX })

export const Team = model('Team', {
  object: OneOf(['team']),
  id: Type.String(),
  title: Title,
  members: Type.Integer({ minimum: 0 }),
  spaces: Type.Integer({ minimum: 0, description: 'Spaces that the team was granted a role on.' }),
  createdAt: Timestamp,
  permissions: Type.Object(Object.fromEntries(TEAM_PERMISSIONS.map(name => [name, Type.Boolean()]))),
})
export type Team = Static<typeof Team>

export const Teams = ListOf(Team)

const TitleFilter = Type.Optional(
  Type.String({
    maxLength: TITLE_CHARACTERS_MAX,
    description: 'Part of the title, in any case.',
  }),
)

export const ListTeams = PageOf({
  owner: Type.Optional(RefTo('user', 'A member: only teams whose members they can manage.')),
  title: TitleFilter,
})
export type ListTeams = Static<typeof ListTeams>

export const ListTeamsOfMember = PageOf({ title: TitleFilter })
export type ListTeamsOfMember = Static<typeof ListTeamsOfMember>

export const TeamRole = OneOf(TEAM_ROLES, 'An owner manages who is in the team.')
export type TeamRole = Static<typeof TeamRole>

const TeamMember = model('TeamMember', { role: TeamRole })

export const TeamsOfMember = ListOf(Type.Object({ team: Team, member: TeamMember }))

const OrganizationTeamMember = model('OrganizationTeamMember', {
  organization: Member,
  team: TeamMember,
  permissions: Type.Object({
    view: Type.Boolean({ description: 'Whether you may read them as a member of the organization.' }),
  }),
})
export type OrganizationTeamMember = Static<typeof OrganizationTeamMember>

export const OrganizationTeamMembers = ListOf(OrganizationTeamMember)

const People = (description: string) =>
  Type.Optional(Type.Array(RefTo('user', 'A member.'), { maxItems: PEOPLE_MAX, description }))

export const CreateTeam = Type.Object({
  title: Title,
  members: People('Members of the organization. You are not added unless you are listed.'),
})
export type CreateTeam = Static<typeof CreateTeam>

export const ChangeTeam = Type.Object({ title: Title })
export type ChangeTeam = Static<typeof ChangeTeam>

export const ChangeTeamMembers = Type.Object({
  add: People('Who is in the team already keeps the role they have there.'),
  memberships: Type.Optional(
    Type.Record(Type.String({ pattern: '^[^\\x00-\\x1f/]{1,128}$' }), TeamMember, {
      maxProperties: PEOPLE_MAX,
      propertyNames: RefTo('user'),
      additionalProperties: false,
      description: 'The role of each, by id; people who are not in the team are added.',
    }),
  ),
  remove: People('Who is named elsewhere in the body as well is removed.'),
})
export type ChangeTeamMembers = Static<typeof ChangeTeamMembers>

export const PutTeamMember = Type.Object({ role: Type.Optional(TeamRole) })
export type PutTeamMember = Static<typeof PutTeamMember>
