// The second factor by the API: how one's own stands, and taking that of a member away.
import { callerOperation, mount, operationsOf } from '../../http/operation.ts'
import { type MemberAt, onMember } from '../members/place.ts'
import { resetOfMember } from './factor-reset.ts'
import { SecondFactor } from './factor-schema.ts'
import { readFactors } from './factors.ts'
import { findPassword } from './rows.ts'

const operation = operationsOf<'member', MemberAt>()

export const factorOperations = [
  callerOperation({
    id: 'getSecondFactor',
    method: 'GET',
    path: '/user/second-factor',
    summary: 'Get your second factor',
    description:
      'Octavo extension. What you have set up besides your password; `urls.settings` is the page where you change it in a browser.',
    tag: 'Accounts',
    scope: 'unscoped',
    reply: SecondFactor,
    run: async ({ context }) => {
      const { user } = context.principal
      const { hasTotp, passkeys, codes, demandedBy } = await readFactors(context, user.id)
      return {
        object: 'second-factor' as const,
        hasPassword: (await findPassword(context.db, user.id)) !== undefined,
        totp: hasTotp,
        passkeys: passkeys.map(({ name, created_at, last_used_at }) => ({
          name,
          createdAt: created_at.toISOString(),
          lastUsedAt: last_used_at?.toISOString() ?? null,
        })),
        recoveryCodes: codes,
        demandedBy: [...demandedBy],
        urls: { settings: context.urls.root('/account/second-factor') },
      }
    },
  }),
  ...mount(
    [onMember],
    [
      operation({
        id: 'resetSecondFactorOfMember',
        method: 'DELETE',
        path: '/second-factor',
        summary: 'Reset the second factor of a member',
        description:
          'Octavo extension, for members who have lost it: their authenticator app, passkeys and recovery codes are removed, they are signed out everywhere, and sign in with their password alone. Only for members who belong to no other organization: 409.',
        tag: 'Members',
        may: 'manage',
        scope: 'organization:members:write',
        sensitive: true,
        failures: [409],
        run: ({ context, at }) => resetOfMember(context, at),
      }),
    ],
  ),
]
