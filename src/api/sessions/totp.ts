// Codes of authenticator apps (RFC 6238): six digits that change every thirty seconds, made from a secret that the app
// and this server share. A code counts once, and one period early or late, as clocks differ (RFC 6238 §5.2).

import { Secret, TOTP } from 'otpauth'
import { openSecrets, sealSecrets } from '../../access/sealed-secrets.ts'
import { now } from '../../base/clock.ts'
import { newSecret } from '../../base/ids.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { SigningKeys } from '../../platform/keys/signing-keys.ts'

const TOTP_DIGITS = 6
const PERIOD_SECONDS = 30
const PERIODS_OFF_MAX = 1
/** As long as RFC 4226 §4 recommends. */
const SECRET_BYTES = 20
/** A secret that nobody has shown a code of is forgotten after this time. */
const UNCONFIRMED_MINUTES_MAX = 60

const ISSUER = 'Octavo'

/** What an app needs: as a text to type (base32), and as the address that a QR code holds. */
export type TotpKey = { readonly text: string; readonly address: string }

export const totpKeyOf = (secret: Buffer, email: string): TotpKey => {
  const totp = totpOf(secret, email)
  return { text: totp.secret.base32, address: totp.toString() }
}

/** The period whose code it is, counted from 1970; undefined if it is none that counts now. */
export function findPeriod(secret: Buffer, code: string): number | undefined {
  const digits = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return undefined
  const timestamp = now().getTime()
  const off = totpOf(secret, '').validate({ token: digits, timestamp, window: PERIODS_OFF_MAX })
  return off === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + off
}

const totpOf = (secret: Buffer, label: string): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: TOTP_DIGITS,
    period: PERIOD_SECONDS,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
  })

type TotpRow = { readonly secret: Buffer; readonly isConfirmed: boolean }

/** The secret of a person; an unconfirmed one counts for an hour. */
export async function findTotp(
  db: Db,
  signingKey: SigningKeys,
  userId: string,
): Promise<TotpRow | undefined> {
  const row = await db
    .selectFrom('totp_secrets')
    .select(['secret', 'confirmed_at', 'created_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const isOver = row.created_at < new Date(now().getTime() - UNCONFIRMED_MINUTES_MAX * 60_000)
  if (row.confirmed_at === null && isOver) return undefined
  const { totp = '' } = openSecrets(signingKey, row.secret)
  return { secret: Buffer.from(totp, 'base64url'), isConfirmed: row.confirmed_at !== null }
}

/** A new secret, in place of one that was not confirmed. False if there is one that was. */
export async function putTotp(trx: Trx, signingKey: SigningKeys, userId: string): Promise<boolean> {
  const totp = Buffer.from(newSecret(), 'base64url').subarray(0, SECRET_BYTES).toString('base64url')
  const fresh = { secret: sealSecrets(signingKey, { totp }), created_at: now() }
  const row = await trx
    .insertInto('totp_secrets')
    .values({ user_id: userId, ...fresh })
    .onConflict(conflict =>
      conflict.column('user_id').doUpdateSet(fresh).where('totp_secrets.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Uses up a code, and all before it; false if one as late was used already. */
export async function spendPeriod(trx: Trx, userId: string, period: number): Promise<boolean> {
  const row = await trx
    .updateTable('totp_secrets')
    .set({ last_period: period, last_used_at: now() })
    .where('user_id', '=', userId)
    .where('last_period', '<', period)
    .where('confirmed_at', 'is not', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** False if it is confirmed already. The code that confirms it is used up. */
export async function confirmTotp(trx: Trx, userId: string, period: number): Promise<boolean> {
  const row = await trx
    .updateTable('totp_secrets')
    .set({ confirmed_at: now(), last_period: period })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function removeTotp(trx: Trx, userId: string): Promise<boolean> {
  const row = await trx
    .deleteFrom('totp_secrets')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst()
  return row !== undefined && row.confirmed_at !== null
}
