// The wire of sessions, an Octavo extension besides the tokens of /user/tokens.

import { type Static, Type } from 'typebox'
import { FACTORS, SESSION_METHODS } from '../../access/principal.ts'
import { ListOf, model, Nullable, OneOf, Timestamp } from '../../http/list.ts'
import { User } from '../accounts/schema.ts'

const fields = {
  object: OneOf(['user-session']),
  id: Type.String(),
  method: OneOf(SESSION_METHODS, 'How it was begun.'),
  factor: Nullable(OneOf(FACTORS, 'The second factor that the person has shown in it.')),
  organization: Nullable(
    Type.String({
      description: 'The only organization that it opens, where the identity provider of one vouched.',
    }),
  ),
  address: Nullable(Type.String({ description: 'The network address it was begun from.' })),
  userAgent: Nullable(Type.String({ description: 'What the browser said of itself.' })),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Timestamp,
}
export const Session = model('Session', fields)
export type Session = Static<typeof Session>

export const Sessions = ListOf(Session)

const CONFIRMED_BY = ['password', 'token', 'provider', 'passkey'] as const
export type ConfirmedBy = (typeof CONFIRMED_BY)[number]

export const CurrentSession = model('CurrentSession', {
  ...fields,
  user: User,
  confirmation: Type.Object({
    until: Nullable(Timestamp),
    by: OneOf(
      CONFIRMED_BY,
      'What the session was begun with: a password and a token are sent to POST /v1/user/session/confirm, a provider and the page that asks for a passkey are at `url`.',
    ),
    url: Type.Optional(
      Type.String({
        format: 'uri',
        description:
          'Where to send the browser to sign in at the identity provider again, or to show its passkey, with `next`, the path of this server to return to. Absent if the provider is no longer set up: sign out and in.',
      }),
    ),
  }),
})
export type CurrentSession = Static<typeof CurrentSession>

export const ConfirmSession = Type.Object({
  password: Type.Optional(Type.String({ maxLength: 1024 })),
  token: Type.Optional(Type.String({ maxLength: 1024 })),
})
export type ConfirmSession = Static<typeof ConfirmSession>
