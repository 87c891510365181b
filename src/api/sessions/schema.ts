// The wire of sessions, an Octavo extension besides the tokens of /user/tokens.

import { type Static, Type } from 'typebox'
import { SESSION_METHODS } from '../../access/principal.ts'
import { ListOf, model, Nullable, OneOf, Timestamp } from '../../http/list.ts'

export const Session = model('Session', {
  object: OneOf(['user-session']),
  id: Type.String(),
  method: OneOf(SESSION_METHODS, 'How it was begun.'),
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
})
export type Session = Static<typeof Session>

export const Sessions = ListOf(Session)
