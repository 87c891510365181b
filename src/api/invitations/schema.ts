// The wire of invitations.
import { type Static, Type } from 'typebox'
import { ListOf, model, Nullable, named, OneOf, PageOf, Timestamp, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { NAME_CHARACTERS_MAX } from '../accounts/users-by-email.ts'
import { Collection } from '../collections/schema.ts'
import { Role } from '../organizations/schema.ts'
import { Space } from '../spaces/schema.ts'

/** For more people than this there are links, email domains and identity providers. */
export const EMAILS_MAX = 100
/** Per organization. */
export const LINKS_MAX = 1000
const USES_MAX = 100_000

const Address = Type.String({ minLength: 3, maxLength: 254 })
const RoleOrGuest = Type.Union([Role, Type.Null()], { description: 'null: a guest.' })

const InvitedPerson = Type.Object({
  email: Address,
  role: Type.Optional(RoleOrGuest),
  name: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: NAME_CHARACTERS_MAX },
      description:
        'Octavo extension: what the person is called until they say otherwise. Who has an account here keeps their name.',
    }),
  ),
})

export const InviteUsersToOrganization = Type.Object({
  emails: Type.Array(Type.Union([Address, InvitedPerson]), {
    minItems: 1,
    maxItems: EMAILS_MAX,
    description: 'Email addresses, each with its own role or a name if needed.',
  }),
  role: Type.Optional(
    Type.Union([Role, Type.Null()], {
      description:
        'The role of those without their own; null: a guest. Absent: the default role of the organization.',
    }),
  ),
  sso: Type.Optional(
    Type.Boolean({ description: 'Only the identity provider of the organization signs them in.' }),
  ),
})
export type InvitedPerson = Static<typeof InvitedPerson>
export type InviteUsersToOrganization = Static<typeof InviteUsersToOrganization>

export const InvitedUsers = model('InvitedUsers', {
  users: Type.Array(Type.String(), { description: 'The ids of the new members.' }),
  invited: Type.Integer({ minimum: 0, description: 'The number of new members.' }),
  mailed: Type.Boolean({
    description:
      'Octavo extension: whether they are sent an email. If not, the operator of the server makes links for those without a password.',
  }),
  failedSSOEmails: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'People who were invited without requiring the identity provider: members of another organization, or everybody while no provider is active.',
    }),
  ),
})
export type InvitedUsers = Static<typeof InvitedUsers>

const ExpiresAt = Type.Union([Timestamp, Type.Null()], {
  description: 'Octavo extension: when the link stops working; null: never.',
})

const UsesMax = Type.Union([Type.Integer({ minimum: 1, maximum: USES_MAX }), Type.Null()], {
  description: 'Octavo extension: how many people it lets in; null: any number.',
})

export const CreateInvite = Type.Object(
  {
    role: Type.Optional(
      Type.Union([Role, Type.Null()], {
        description: 'To the organization, with this role; null: as a guest.',
      }),
    ),
    level: Type.Optional(
      Type.Union([Role, Type.Null()], {
        description: 'To a space or a collection, with this role there; null: as a guest without any.',
      }),
    ),
    space: Type.Optional(RefTo('space')),
    collection: Type.Optional(RefTo('collection')),
    expiresAt: Type.Optional(ExpiresAt),
    usesMax: Type.Optional(UsesMax),
  },
  { description: 'Either `role`, or `level` and `space`, or `level` and `collection`.' },
)
export type CreateInvite = Static<typeof CreateInvite>

export const ChangeInvite = Type.Object(
  {
    role: Type.Optional(Type.Union([Role, Type.Null()])),
    level: Type.Optional(Type.Union([Role, Type.Null()])),
    expiresAt: Type.Optional(ExpiresAt),
    usesMax: Type.Optional(UsesMax),
  },
  { description: '`role` of an invitation to the organization, `level` of one to a space or a collection.' },
)
export type ChangeInvite = Static<typeof ChangeInvite>

const common = {
  object: OneOf(['invite']),
  id: Type.String({ description: 'A secret: anyone who knows it is invited.' }),
  redundant: Type.Boolean({ description: 'Whether you already have what it gives.' }),
  createdAt: Timestamp,
  expiresAt: Type.Optional(Timestamp),
  uses: Type.Integer({ minimum: 0, description: 'Octavo extension: how many people it has let in.' }),
  usesMax: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Octavo extension: how many people it lets in; absent: any number.',
    }),
  ),
  urls: Type.Object({
    location: Url,
    app: Type.Unsafe<string>({ ...Url, description: 'Where it is accepted in a browser.' }),
  }),
}

const InviteLinkToOrganization = model('InviteLinkToOrganization', { ...common, role: Nullable(Role) })
const InviteLinkToSpace = model('InviteLinkToSpace', { ...common, level: Nullable(Role), space: Space })
const InviteLinkToCollection = model('InviteLinkToCollection', {
  ...common,
  level: Nullable(Role),
  collection: Collection,
})
export const InviteLink = named(
  'OrganizationInviteLink',
  Type.Union([InviteLinkToSpace, InviteLinkToCollection, InviteLinkToOrganization]),
)
export type InviteLink = Static<typeof InviteLink>
export const InviteLinks = ListOf(InviteLink)
export const ListInvites = PageOf({})

export const Accepted = model('AcceptedInvite', {})
