// The wire of access for visitors.
import { type Static, Type } from 'typebox'
import { VISITOR_TOKEN_DAYS_MAX } from '../../access/proofs.ts'
import { ListOf, model, Nullable, OneOf, PageOf, ShownUrl, Timestamp, Url } from '../../http/list.ts'

const NAME_CHARACTERS_MAX = 50
const Name = Type.String({ minLength: 1, maxLength: NAME_CHARACTERS_MAX })

export const ShareLink = model('ShareLink', {
  object: OneOf(['share-link']),
  id: Type.String(),
  createdAt: Timestamp,
  name: Name,
  active: Type.Boolean(),
  lastUsedAt: Type.Optional({
    ...Timestamp,
    description:
      'When it last opened the space, to the hour and a minute late. Absent: never, as far as is known. Octavo extension.',
  }),
  urls: Type.Object({
    location: Url,
    published: Type.String({
      format: 'uri',
      description:
        'Includes the key. It works while the link is active and the visibility of the space is `share-link`.',
    }),
  }),
})
export type ShareLink = Static<typeof ShareLink>
export const ShareLinks = ListOf(ShareLink)
export const ListShareLinks = PageOf({})

export const CreateShareLink = Type.Object({ name: Name })
export type CreateShareLink = Static<typeof CreateShareLink>

export const ChangeShareLink = Type.Object({
  name: Type.Optional(Name),
  active: Type.Optional(Type.Boolean({ description: '`false` disables the link until it is `true` again.' })),
})
export type ChangeShareLink = Static<typeof ChangeShareLink>

export const PublishingAuth = model('PublishingAuth', {
  object: OneOf(['publishing-auth']),
  backend: OneOf(['custom']),
  privateKey: Type.String({ description: 'Sign the tokens of visitors with it: HS256.' }),
  fallbackURL: Type.Optional(Url),
  retiringKeys: Type.Array(Type.Object({ retiresAt: Timestamp }), {
    description: 'Earlier keys whose tokens are still accepted, and until when. Octavo extension.',
  }),
})
export type PublishingAuth = Static<typeof PublishingAuth>

export const ChangePublishingAuth = Type.Object({
  fallbackURL: Type.Optional(
    Nullable({
      ...ShownUrl,
      description:
        'Where browsers without a token are redirected: without a user and a password, which all of them would be sent. null: nowhere.',
    }),
  ),
})
export type ChangePublishingAuth = Static<typeof ChangePublishingAuth>

const GRACE_SECONDS_MAX = VISITOR_TOKEN_DAYS_MAX * 24 * 60 * 60

export const RegenerateKey = Type.Object({
  graceSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: GRACE_SECONDS_MAX,
      description: 'How long tokens signed with earlier keys are still accepted; 0 when absent.',
    }),
  ),
})
export type RegenerateKey = Static<typeof RegenerateKey>

export const CONTENT_TOKEN_SECONDS_DEFAULT = 60 * 60
const CONTENT_TOKEN_SECONDS_MAX = 24 * 60 * 60

export const CreateContentToken = Type.Object({
  lifetimeSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: CONTENT_TOKEN_SECONDS_MAX,
      description: `${CONTENT_TOKEN_SECONDS_DEFAULT} when absent. It ends no later than the token it is made with.`,
    }),
  ),
})
export type CreateContentToken = Static<typeof CreateContentToken>

const CONTENT_TOKEN_FIELDS = {
  object: OneOf(['content-token']),
  id: Type.String(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  createdBy: Type.String({
    description: 'The id of the user who made it. It ends when they are no longer an admin of the space.',
  }),
}

export const ContentToken = model('ContentToken', {
  ...CONTENT_TOKEN_FIELDS,
  token: Type.String({ description: 'The secret. It is shown once and cannot be read again.' }),
})

/** As it is listed. */
export const ContentTokenDetails = model('ContentTokenDetails', {
  ...CONTENT_TOKEN_FIELDS,
  lastUsedAt: Type.Optional(Timestamp),
})
export type ContentTokenDetails = Static<typeof ContentTokenDetails>
export const ContentTokens = ListOf(ContentTokenDetails)
export const ListContentTokens = PageOf({})
