// The wire of links with which invited people sign in for the first time.
import { type Static, Type } from 'typebox'
import { ListOf, model, Nullable, OneOf, PageOf, Timestamp, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { Role } from '../organizations/schema.ts'

export const SIGN_IN_LINKS_MAX = 100
const DAYS_MAX = 30

/** Somebody who has not signed in yet. */
export const Waiting = model('SignInLink', {
  object: OneOf(['sign-in-link']),
  id: Type.String({ description: 'The id of the person.' }),
  email: Type.String(),
  displayName: Type.String(),
  role: Nullable(Role),
  invitedAt: Timestamp,
  expiresAt: Type.Union([Timestamp, Type.Null()], {
    description: 'Until when their link works; null: they have none.',
  }),
})
export type Waiting = Static<typeof Waiting>
export const WaitingPeople = ListOf(Waiting)
export const ListWaiting = PageOf({})

export const CreateSignInLinks = Type.Object({
  users: Type.Array(RefTo('user', 'A member.'), { minItems: 1, maxItems: SIGN_IN_LINKS_MAX }),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: DAYS_MAX, description: 'How long they work; 7 when absent.' }),
  ),
})
export type CreateSignInLinks = Static<typeof CreateSignInLinks>

export const SignInLinksMade = model('SignInLinks', {
  items: Type.Array(
    Type.Object({
      user: Type.String(),
      email: Type.String(),
      url: Type.Unsafe<string>({ ...Url, description: 'A secret: it signs in as the person.' }),
      expiresAt: Timestamp,
    }),
  ),
  refused: Type.Array(
    Type.Object({
      user: Type.String(),
      email: Type.String(),
      why: OneOf(['signed_in', 'sso', 'disabled']),
    }),
    {
      description:
        'Those who have signed in before, those whom the identity provider signs in, and disabled members.',
    },
  ),
})
export type SignInLinksMade = Static<typeof SignInLinksMade>
