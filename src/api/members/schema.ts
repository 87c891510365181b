// The wire of members (specification "Member").
import { type Static, Type } from 'typebox'
import { ListOf, model, Nullable, OneOf, Timestamp } from '../../http/list.ts'
import { User } from '../accounts/schema.ts'
import { Role } from '../organizations/schema.ts'

export const Member = model(
  'Member',
  Type.Object({
    object: OneOf(['member']),
    id: Type.String({ description: 'The id of the user.' }),
    role: Nullable(Role),
    user: User,
    disabled: Type.Boolean(),
    joinedAt: Timestamp,
    lastSeenAt: Type.Optional(Timestamp),
    sso: Type.Boolean(),
    spaces: Type.Integer({ minimum: 0, description: 'Spaces of the organization that the member may see.' }),
    teams: Type.Integer({ minimum: 0 }),
  }),
)
export type Member = Static<typeof Member>

export const Members = ListOf(Member)
