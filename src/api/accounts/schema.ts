// The wire of people and their tokens.
import { type Static, Type } from 'typebox'
import { PRESET_NAMES, SCOPES } from '../../access/scopes.ts'
import { ListOf, model, Nullable, OneOf, ShownUrl, Timestamp, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'

export const User = model('User', {
  object: OneOf(['user']),
  id: Type.String(),
  displayName: Type.String(),
  email: Type.Optional(Type.String()),
  photoURL: Type.Optional(Url),
  urls: Type.Object({ location: Url }),
})
export type User = Static<typeof User>

export const ChangeUser = Type.Object({
  displayName: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  photoURL: Type.Optional(ShownUrl),
})
export type ChangeUser = Static<typeof ChangeUser>

const Scope = OneOf(SCOPES)

export const Token = model('Token', {
  object: OneOf(['user-api-token']),
  id: Type.String(),
  label: Type.String({ maxLength: 50 }),
  scopes: Nullable(Type.Array(Scope)),
  organization: Nullable(
    Type.String({ description: 'The only organization that the token gives access to; null: all of yours.' }),
  ),
  createdAt: Timestamp,
  expiresAt: Nullable(Timestamp),
  lastUsedAt: Nullable(Timestamp),
})
export type Token = Static<typeof Token>

export const TokenWithSecret = model('TokenWithSecret', {
  ...Token.properties,
  token: Type.String({ description: 'The secret. It is shown once and cannot be read again.' }),
})
export type TokenWithSecret = Static<typeof TokenWithSecret>

export const Tokens = ListOf(Token)

export const CreateToken = Type.Object({
  label: Type.String({ minLength: 1, maxLength: 50 }),
  scopes: Type.Optional(
    Nullable(
      Type.Array(Scope, {
        minItems: 1,
        maxItems: SCOPES.length,
        description: 'Absent or null: everything you may do.',
      }),
    ),
  ),
  may: Type.Optional(OneOf(PRESET_NAMES, 'Scopes under one name, instead of `scopes`.')),
  organization: Type.Optional(
    Nullable(RefTo('organization', 'One of your organizations: the token gives access to no other.')),
  ),
  expiresAt: Type.Optional(
    Nullable(
      Type.Unsafe<string>({
        ...Timestamp,
        description: 'Absent or null: as long as the token that you create it with.',
      }),
    ),
  ),
})
export type CreateToken = Static<typeof CreateToken>

export const ApiInformation = model('ApiInformation', { version: Type.String(), build: Type.String() })
