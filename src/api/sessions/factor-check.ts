// Checking what somebody gives as their second factor. A right one is used up in the transaction that it counts for.
import type { UserRow } from '../../access/principal.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { type ChallengeFor, spendChallenge } from './challenges.ts'
import { tellOfFactor } from './factor-mail.ts'
import { findPasskey, type PasskeyRow, spendPasskey } from './passkey-rows.ts'
import { type RelyingParty, readAnswer, verifyAssertion } from './passkeys.ts'
import { countCodes, spendCode } from './recovery-codes.ts'
import { findPeriod, findTotp, spendPeriod } from './totp.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** `left`: codes that were not used. */
    'second_factor.code_used': { user: string; left: number }
  }
}

/** What a passkey answers, and to whom. */
export type GivenPasskey = {
  readonly kind: 'passkey'
  readonly answer: string
  readonly challengeFor: ChallengeFor
  readonly relyingParty: RelyingParty
}

export type GivenFactor = { readonly kind: 'totp' | 'recovery_code'; readonly code: string } | GivenPasskey

/** What is used up, once it is known to be right as far as it can be without using it. */
export type CheckedFactor =
  | { readonly factor: 'totp'; readonly period: number }
  | { readonly factor: 'recovery_code'; readonly code: string }
  | CheckedPasskey

export type CheckedPasskey = {
  readonly factor: 'passkey'
  readonly passkey: PasskeyRow
  readonly signatures: number
  readonly challenge: string
}

/** Undefined if it is wrong. */
export async function checkFactor(
  services: Pick<Services, 'db' | 'signingKey'>,
  userId: string,
  given: GivenFactor,
): Promise<CheckedFactor | undefined> {
  if (given.kind === 'recovery_code') return { factor: 'recovery_code', code: given.code }
  if (given.kind === 'passkey') {
    const checked = await checkPasskey(services, given, { isAlone: false })
    return checked?.passkey.user_id === userId ? checked : undefined
  }
  const totp = await findTotp(services.db, services.signingKey, userId)
  const period = totp?.isConfirmed === true ? findPeriod(totp.secret, given.code) : undefined
  return period === undefined ? undefined : { factor: 'totp', period }
}

/** Whosever passkey it is. `isAlone`: it stands for the password too. */
export async function checkPasskey(
  { db, signingKey }: Pick<Services, 'db' | 'signingKey'>,
  { answer: text, challengeFor, relyingParty }: GivenPasskey,
  how: { readonly isAlone: boolean },
): Promise<CheckedPasskey | undefined> {
  const answer = readAnswer(signingKey, challengeFor, text)
  const passkey = answer && (await findPasskey(db, answer.id))
  if (answer === undefined || passkey === undefined) return undefined
  const signatures = await verifyAssertion(answer, relyingParty, passkey, how)
  return signatures === undefined
    ? undefined
    : { factor: 'passkey', passkey, signatures, challenge: answer.challenge }
}

/** False if it was used before: nothing may be done then. */
export async function spendFactor(
  trx: Trx,
  services: Pick<Services, 'events' | 'signingKey' | 'jobs' | 'mail'>,
  user: Pick<UserRow, 'id'>,
  checked: CheckedFactor,
): Promise<boolean> {
  if (checked.factor === 'totp') return spendPeriod(trx, user.id, checked.period)
  if (checked.factor === 'passkey')
    return (
      (await spendChallenge(trx, checked.challenge)) &&
      (await spendPasskey(trx, checked.passkey, checked.signatures))
    )
  if (!(await spendCode(trx, services.signingKey, user.id, checked.code))) return false
  await services.events.append(trx, {
    type: 'second_factor.code_used',
    actorId: user.id,
    payload: { user: user.id, left: await countCodes(trx, user.id) },
  })
  await tellOfFactor(trx, services, user.id, 'code_used')
  return true
}
