// Challenges that passkeys sign (https://www.w3.org/TR/webauthn-3/#sctn-cryptographic-challenges). Nothing is stored
// until one is answered, so that showing a form costs no row: a challenge says itself until when it counts, and a keyed
// hash binds it to its purpose and to the browser or session that it was made for.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { sha256 } from '../../base/canonical.ts'
import { now } from '../../base/clock.ts'
import { newSecret } from '../../base/ids.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { SigningKeys } from '../../platform/keys/signing-keys.ts'

/** What an answer does: an answer to one kind is none to another. */
export type ChallengePurpose = 'sign-in' | 'second-step' | 'confirm' | 'register'

/** `secret`: what only the one browser, session or step has that it is made for. */
export type ChallengeFor = { readonly purpose: ChallengePurpose; readonly secret: string }

export const CHALLENGE_MINUTES = 5

export function newChallenge(signingKey: SigningKeys, of: ChallengeFor): string {
  const claims = `${newSecret()}.${(now().getTime() + CHALLENGE_MINUTES * 60_000).toString(36)}`
  return `${claims}.${sign(signingKey.current, of, claims)}`
}

const CHALLENGE = /^([\w-]{43}\.([\da-z]{1,11}))\.([\w-]{43})$/

/** Whether it was made for this, and counts still. Whether it was answered before, `spendChallenge` tells. */
export function isChallengeFor(signingKey: SigningKeys, of: ChallengeFor, challenge: string): boolean {
  const [, claims = '', expires = '', signature = ''] = CHALLENGE.exec(challenge) ?? []
  if (!signingKey.accepted.some(key => isSame(signature, sign(key, of, claims)))) return false
  return Number.parseInt(expires, 36) > now().getTime()
}

const isSame = (given: string, right: string): boolean =>
  given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right))

const sign = (signingKey: KeyObject, { purpose, secret }: ChallengeFor, claims: string): string =>
  createHmac('sha256', signingKey)
    .update(`challenge ${purpose} ${sha256(secret)} ${claims}`)
    .digest('base64url')

/** False if it was answered before. */
export async function spendChallenge(trx: Trx, challenge: string): Promise<boolean> {
  const row = await trx
    .insertInto('answered_challenges')
    .values({
      challenge_hash: Buffer.from(sha256(challenge), 'hex'),
      expires_at: new Date(now().getTime() + CHALLENGE_MINUTES * 60_000),
    })
    .onConflict(conflict => conflict.column('challenge_hash').doNothing())
    .returning('challenge_hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Those that would not count any more. */
export const removeOldChallenges = (db: Db) =>
  db.deleteFrom('answered_challenges').where('expires_at', '<', now()).execute()
