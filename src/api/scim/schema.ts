// The wire of the tokens that a directory comes with. SCIM itself is another protocol: see serve.ts.
import { type Static, Type } from 'typebox'
import { ListOf, model, Nullable, OneOf, Paging, Timestamp } from '../../http/list.ts'

export const SCIMToken = model('SCIMToken', {
  object: OneOf(['scim-token']),
  id: Type.String(),
  label: Type.String({ maxLength: 50 }),
  createdAt: Timestamp,
  expiresAt: Nullable(Timestamp),
  lastUsedAt: Nullable(Timestamp),
})
export type SCIMToken = Static<typeof SCIMToken>

export const SCIMTokens = ListOf(SCIMToken)
export const ListSCIMTokens = Paging

export const SCIMTokenWithSecret = model('SCIMTokenWithSecret', {
  ...SCIMToken.properties,
  token: Type.String({ description: 'The secret. It is shown once and cannot be read again.' }),
  baseURL: Type.String({ description: 'The address of SCIM for the directory ("tenant URL", "base URL").' }),
})

export const CreateSCIMToken = Type.Object({
  label: Type.String({ minLength: 1, maxLength: 50 }),
  expiresAt: Type.Optional(
    Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'Absent or null: until it is revoked.' })),
  ),
})
export type CreateSCIMToken = Static<typeof CreateSCIMToken>
