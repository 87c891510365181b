// Proving in a session, again, who one is: by what the session was begun with. `http/confirmation.ts` says what for.
import { isVouched, type PersonInSession, type SessionMethod } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { Failure, invalid } from '../../base/errors.ts'
import type { ActionContext, Services } from '../../http/context.ts'
import { SESSION_EXPIRED } from '../../http/workspace-session.ts'
import type { Trx } from '../../platform/db/database.ts'
import { checkPasskey, type GivenPasskey, spendFactor } from './factor-check.ts'
import { countedBySession, LOCK_MINUTES, TRIES_MAX } from './lockout.ts'
import { isTooLong } from './passwords.ts'
import { findPassword, updateConfirmation } from './rows.ts'
import type { ConfirmedBy, ConfirmSession } from './schema.ts'
import { checkGuess } from './sign-in.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'session.confirmed': { session: string; by: ConfirmedBy }
  }
}

/** What confirms a session that was begun in this way. */
export const confirmedBy = (method: SessionMethod): ConfirmedBy => (isVouched(method) ? 'provider' : method)

/** Returns when it was confirmed. Throws a Failure unless `given` is what began the session. */
export async function confirmSession(
  context: ActionContext<PersonInSession>,
  given: ConfirmSession,
): Promise<Date> {
  const { session } = context.principal
  switch (confirmedBy(session.method)) {
    case 'password':
      return confirmByPassword(context, given.password)
    case 'token':
      return confirmByToken(context, given.token)
    case 'provider':
      throw new Failure(
        'forbidden',
        'confirm_at_provider',
        'Your identity provider has to confirm who you are: go to `confirmation.url` of GET /v1/user/session.',
      )
    case 'passkey':
      throw new Failure(
        'forbidden',
        'confirm_at_provider',
        'Your passkey has to confirm who you are: go to `confirmation.url` of GET /v1/user/session.',
      )
  }
}

/** In a session that a passkey began, by any passkey of the person on an authenticator that has verified them. */
export async function confirmByPasskey(
  context: ActionContext<PersonInSession>,
  given: GivenPasskey,
): Promise<Date> {
  const { user } = context.principal
  const checked = await checkPasskey(context, given, { isAlone: true })
  if (checked?.passkey.user_id !== user.id) throw wrong('passkey')
  return context.transaction(async trx => {
    if (!(await spendFactor(trx, context, user, checked))) throw wrong('passkey')
    return markConfirmed(trx, context, context.principal, 'passkey', now())
  })
}

async function confirmByPassword(
  context: ActionContext<PersonInSession>,
  password: string | undefined,
): Promise<Date> {
  if (password === undefined) throw invalid('password_needed', 'body.password: send your password.')
  const { user, session } = context.principal
  if (isTooLong(password)) throw wrong('password')
  const checked = await checkGuess(context, user.email.toLowerCase(), password, countedBySession(session.id))
  if (checked.kind !== 'right') throw checked.kind === 'locked' ? LOCKED : wrong('password')
  return context.transaction(async trx => {
    // A password change in the meantime has ended the sessions that do not know the new one.
    if ((await findPassword(trx, user.id, 'locked'))?.hash !== checked.kept.hash) throw wrong('password')
    return markConfirmed(trx, context, context.principal, 'password', now())
  })
}

async function confirmByToken(
  context: ActionContext<PersonInSession>,
  token: string | undefined,
): Promise<Date> {
  if (token === undefined)
    throw invalid('token_needed', 'body.token: send the token that you signed in with.')
  const found = await context.principals.find(token)
  if (found?.kind !== 'user' || found.tokenId !== context.principal.session.token?.id) throw wrong('token')
  return context.transaction(trx => markConfirmed(trx, context, context.principal, 'token', now()))
}

/** Returns `at`. Throws if the session has ended. */
export async function markConfirmed(
  trx: Trx,
  { events }: Pick<Services, 'events'>,
  { user, session }: { readonly user: { readonly id: string }; readonly session: { readonly id: string } },
  by: ConfirmedBy,
  at: Date,
): Promise<Date> {
  const row = await updateConfirmation(trx, user.id, session.id, at)
  if (row === undefined) throw SESSION_EXPIRED
  await events.append(trx, {
    type: 'session.confirmed',
    organizationId: row.organization_id,
    actorId: user.id,
    payload: { session: session.id, by },
  })
  return at
}

const wrong = (what: 'password' | 'token' | 'passkey') =>
  new Failure('forbidden', 'credentials_wrong', `body.${what}: this is not the ${what} of your session.`)

const LOCKED = new Failure(
  'throttled',
  'sign_in_locked',
  `There were ${TRIES_MAX} wrong passwords in this session. Wait ${LOCK_MINUTES} minutes and try again.`,
).withValues({ minutes: LOCK_MINUTES })
