// The wire of what a person lets programs do, an Octavo extension beside the tokens of /user/tokens.
import { type Static, Type } from 'typebox'
import { SCOPES } from '../../access/scopes.ts'
import { ListOf, model, Nullable, OneOf, Timestamp } from '../../http/list.ts'

export const Authorization = model('Authorization', {
  object: OneOf(['authorization']),
  id: Type.String(),
  client: Type.Object({
    id: Type.String({ description: 'Of a client that publishes its metadata, their address.' }),
    name: Type.String({ description: 'What it calls itself; may be empty.' }),
    host: Nullable(
      Type.String({ description: 'Where it is; null: a program on the machine of the person.' }),
    ),
  }),
  scopes: Type.Array(OneOf(SCOPES)),
  organization: Nullable(
    Type.String({ description: 'The only organization that it opens; null: all of yours.' }),
  ),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
  expiresAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'Null: as long as it is used.' })),
})
export type Authorization = Static<typeof Authorization>

export const Authorizations = ListOf(Authorization)
