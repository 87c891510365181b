// The wire of members.
import { type Static, Type } from 'typebox'
import { MEMBER_ROLES } from '../../access/policy.ts'
import { ListOf, model, Nullable, OneOf, PageOf, Timestamp } from '../../http/list.ts'
import { User } from '../accounts/schema.ts'
import { Role } from '../organizations/schema.ts'

export const SEARCH_CHARACTERS_MAX = 256

export const Member = model('Member', {
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
  secondFactor: Type.Optional(
    Type.Boolean({
      description:
        'Octavo extension, for admins of the organization: whether the member has a second factor here. Those whom an identity provider signs in need none.',
    }),
  ),
})
export type Member = Static<typeof Member>

export const Members = ListOf(Member)

export const ListMembers = PageOf({
  order: Type.Optional(OneOf(['asc', 'desc'], '`desc` when absent.')),
  role: Type.Optional(OneOf([...MEMBER_ROLES, 'guest'])),
  search: Type.Optional(
    Type.String({
      maxLength: SEARCH_CHARACTERS_MAX,
      description: 'Part of the name or of the email address, in any case.',
    }),
  ),
  secondFactor: Type.Optional(
    Type.Boolean({
      description:
        'Octavo extension, for admins of the organization. True: members who have a second factor. False: members who lack one and whom no identity provider signs in.',
    }),
  ),
  sort: Type.Optional(
    OneOf(
      ['joinedAt', 'lastSeenAt'],
      '`joinedAt` when absent. By `lastSeenAt`, only members that were seen and are not disabled are listed.',
    ),
  ),
})
export type ListMembers = Static<typeof ListMembers>

export const ChangeMember = Type.Object({
  role: Type.Optional(
    Type.Union([Role, Type.Null()], {
      description: 'Null makes the member a guest, who sees only what they are granted.',
    }),
  ),
  disabled: Type.Optional(
    Type.Boolean({ description: 'Octavo extension: a disabled member keeps their roles but has no access.' }),
  ),
  sso: Type.Optional(
    Type.Boolean({
      description: 'Octavo extension: whether the member can sign in only through an identity provider.',
    }),
  ),
})
export type ChangeMember = Static<typeof ChangeMember>

export const VisitorClaims = Type.Object({
  serviceVisitorClaims: Type.Optional(
    Type.String({ description: 'Absent unless the organization has visitor claims configured.' }),
  ),
  gitbookVisitorClaims: Type.Optional(Type.String({ description: 'The same under its public name.' })),
})
