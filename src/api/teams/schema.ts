// The wire of teams (specification "Team", api-facts §2.7, §7.4).
import { type Static, Type } from 'typebox'
import { ListOf, model, Timestamp } from '../../http/list.ts'

export const TITLE_CHARACTERS_MAX = 64
export const TEAM_PERMISSIONS = ['admin', 'view'] as const

export const Team = model(
  'Team',
  Type.Object({
    object: Type.Unsafe<'team'>({ type: 'string', enum: ['team'] }),
    id: Type.String(),
    title: Type.String({ minLength: 1, maxLength: TITLE_CHARACTERS_MAX }),
    members: Type.Integer({ minimum: 0 }),
    spaces: Type.Integer({ minimum: 0, description: 'Spaces that the team was given a role on.' }),
    createdAt: Timestamp,
    permissions: Type.Object(Object.fromEntries(TEAM_PERMISSIONS.map(name => [name, Type.Boolean()]))),
  }),
)
export type Team = Static<typeof Team>

export const Teams = ListOf(Team)
