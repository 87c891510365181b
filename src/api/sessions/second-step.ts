// The second step of signing in. A browser whose person has given the password has a step, not a session: a secret that
// only shows the next form, for ten minutes, and that ends with the sign-in. A passkey alone counts as both steps.
import { hashToken, type UserRow } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { newSecret } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { findUser } from '../accounts/rows.ts'
import { beginSession } from './actions.ts'
import { type Browser, type Closed, findClosed } from './closed.ts'
import { type Device, encodeDevice } from './devices.ts'
import {
  checkFactor,
  checkPasskey,
  type GivenFactor,
  type GivenPasskey,
  spendFactor,
} from './factor-check.ts'
import { tellOfFactor } from './factor-mail.ts'
import { countedByFactor, countTry, forgetTries, LOCK_MINUTES } from './lockout.ts'
import { countCodes } from './recovery-codes.ts'
import { findPassword } from './rows.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** Too many wrong codes of somebody who has the password. */
    'second_factor.locked': { user: string; minutes: number }
  }
}

export const STEP_MINUTES = 10

type Able = Pick<Services, 'db' | 'transaction' | 'events' | 'signingKey' | 'jobs' | 'mail'>

/** Returns the secret, which only the browser has. */
export async function beginStep(trx: Trx, userId: string): Promise<string> {
  const secret = newSecret()
  await trx
    .insertInto('sign_in_steps')
    .values({
      secret_hash: hashToken(secret),
      user_id: userId,
      expires_at: new Date(now().getTime() + STEP_MINUTES * 60_000),
    })
    .execute()
  return secret
}

/** Whose step it is, if it can still be taken. */
export async function findStep(db: Db, secret: string): Promise<UserRow | undefined> {
  const step = await db
    .selectFrom('sign_in_steps')
    .select('user_id')
    .where('secret_hash', '=', hashToken(secret))
    .where('expires_at', '>', now())
    .executeTakeFirst()
  return step && findUser(db, step.user_id)
}

/** Locks it, so that it is taken once. */
const lockStep = (trx: Trx, secret: string) =>
  trx
    .selectFrom('sign_in_steps')
    .select('user_id')
    .where('secret_hash', '=', hashToken(secret))
    .where('expires_at', '>', now())
    .forUpdate()
    .executeTakeFirst()

/** A new password, or another second factor, ends what was begun with the ones before. */
export const removeSteps = (trx: Trx, userId: string) =>
  trx.deleteFrom('sign_in_steps').where('user_id', '=', userId).execute()

export const removeOldSteps = (db: Db) =>
  db.deleteFrom('sign_in_steps').where('expires_at', '<', now()).execute()

export type SecondStep =
  | {
      readonly kind: 'done'
      readonly secret: string
      readonly device: string
      /** Recovery codes that are left, if one was used; else null. */
      readonly codesLeft: number | null
    }
  | { readonly kind: 'wrong' | 'locked' | 'gone' }

/** `device`: the known one that belongs to the person, if any. */
export async function takeSecondStep(
  services: Able,
  given: { readonly secret: string; readonly factor: GivenFactor; readonly device: Device | undefined },
  browser: Browser,
): Promise<SecondStep> {
  const user = await findStep(services.db, given.secret)
  if (user === undefined) return { kind: 'gone' }
  // Nobody guesses what a passkey signs, so it needs no count, and works while codes are locked.
  const isGuess = given.factor.kind !== 'passkey'
  const by = countedByFactor(user.id, given.device)
  const counted = isGuess ? await countTry(services, by) : null
  if (counted?.isLocked === true) return { kind: 'locked' }
  const checked = await checkFactor(services, user.id, given.factor)
  const ended = checked && (await finish(services, given.secret, user, checked, browser))
  if (ended !== undefined) {
    if (isGuess && ended.kind === 'done') await forgetTries(services.db, services, by)
    return ended
  }
  if (counted?.isLast === true) {
    const payload = { user: user.id, minutes: LOCK_MINUTES }
    await services.transaction(async trx => {
      await services.events.append(trx, { type: 'second_factor.locked', payload })
      await tellOfFactor(trx, services, user.id, 'locked')
    })
  }
  return { kind: 'wrong' }
}

/** Undefined if the factor was used before. */
const finish = (
  services: Able,
  secret: string,
  user: UserRow,
  checked: Parameters<typeof spendFactor>[3],
  browser: Browser,
): Promise<SecondStep | undefined> =>
  services.transaction(async trx => {
    const password = await findPassword(trx, user.id, 'locked')
    if ((await lockStep(trx, secret)) === undefined || password === undefined) return { kind: 'gone' }
    if (!(await spendFactor(trx, services, user, checked))) return undefined
    await removeStep(trx, secret)
    return {
      kind: 'done',
      secret: await beginSession(trx, services.events, {
        userId: user.id,
        method: 'password',
        factor: checked.factor,
        organizationId: password.organization_id,
        tokenId: null,
        confirmedAt: now(),
        ...browser,
      }),
      device: encodeDevice(services, user.email.toLowerCase(), password.hash),
      codesLeft: checked.factor === 'recovery_code' ? await countCodes(trx, user.id) : null,
    }
  })

const removeStep = (trx: Trx, secret: string) =>
  trx.deleteFrom('sign_in_steps').where('secret_hash', '=', hashToken(secret)).execute()

export type PasskeySignIn =
  | { readonly kind: 'done'; readonly secret: string }
  | { readonly kind: 'wrong' | Closed }

/** By a passkey that the person chose, on an authenticator that has verified them. */
export async function signInWithPasskey(
  services: Able,
  given: GivenPasskey,
  browser: Browser,
): Promise<PasskeySignIn> {
  const checked = await checkPasskey(services, given, { isAlone: true })
  if (checked === undefined) return { kind: 'wrong' }
  const userId = checked.passkey.user_id
  const within = (await findPassword(services.db, userId))?.organization_id ?? null
  const closed = await findClosed(services.db, userId, within)
  if (closed !== undefined) return { kind: closed }
  return services.transaction(async trx => {
    const password = await findPassword(trx, userId, 'locked')
    if (!(await spendFactor(trx, services, { id: userId }, checked))) return { kind: 'wrong' }
    const secret = await beginSession(trx, services.events, {
      userId,
      method: 'passkey',
      factor: 'passkey',
      organizationId: password?.organization_id ?? null,
      tokenId: null,
      confirmedAt: now(),
      ...browser,
    })
    return { kind: 'done', secret }
  })
}
