// The wire of the second factor, an Octavo extension. It is set up on a page for browsers alone: a token can read how it
// stands and change nothing.
import { type Static, Type } from 'typebox'
import { model, OneOf, Timestamp, Url } from '../../http/list.ts'

const Passkey = Type.Object({
  name: Type.String(),
  createdAt: Timestamp,
  lastUsedAt: Type.Union([Timestamp, Type.Null()]),
})

export const SecondFactor = model('SecondFactor', {
  object: OneOf(['second-factor']),
  hasPassword: Type.Boolean({ description: 'Whether you have a password, which a second factor adds to.' }),
  totp: Type.Boolean({ description: 'Whether an authenticator app is set up.' }),
  passkeys: Type.Array(Passkey),
  recoveryCodes: Type.Integer({ description: 'How many of your recovery codes are left.' }),
  demandedBy: Type.Array(Type.Object({ id: Type.String(), title: Type.String() }), {
    description: 'Organizations of yours that demand a second factor of you.',
  }),
  urls: Type.Object({ settings: Url }),
})
export type SecondFactor = Static<typeof SecondFactor>
