// Browsers in which somebody signed in with their password before (OWASP, "Slow down online guessing with device
// cookies"). Their tries are counted apart, so that a stranger who guesses cannot lock them out. The cookie opens
// nothing: it only chooses a count, and ends with the password.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { now } from '../../base/clock.ts'
import { newSecret } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import { findUserByEmail } from '../accounts/rows.ts'
import { findPassword } from './rows.ts'

export const DEVICE_DAYS_MAX = 180
const DAY_MS = 24 * 60 * 60 * 1000

type Signing = Pick<Services, 'signingKey'>

/** A browser that one email address is known by; `id` is random. */
export type Device = { readonly id: string }

const COOKIE = /^(([\w-]{43})\.([\da-z]{1,11})\.([\w-]{22}))\.([\w-]{43})$/

/** The cookie of a new device. Only a right password leads here: each device has tries of its own. */
export function encodeDevice(
  { signingKey: { current } }: Signing,
  email: string,
  passwordHash: string,
): string {
  const expiresAt = now().getTime() + DEVICE_DAYS_MAX * DAY_MS
  const claims = `${newSecret()}.${expiresAt.toString(36)}.${versionOf(current, passwordHash)}`
  return `${claims}.${sign(current, 'device', `${email} ${claims}`)}`
}

/** The device by its cookie, for this address and its current password. Forged cookies do not reach the database. */
export async function findDevice(
  services: Pick<Services, 'db' | 'signingKey'>,
  email: string,
  cookie: string | undefined,
): Promise<Device | undefined> {
  const [, claims = '', id = '', expires = '', version = '', signature = ''] = COOKIE.exec(cookie ?? '') ?? []
  const key = services.signingKey.accepted.find(one =>
    isSame(signature, sign(one, 'device', `${email} ${claims}`)),
  )
  if (key === undefined) return undefined
  if (Number.parseInt(expires, 36) <= now().getTime()) return undefined
  const user = await findUserByEmail(services.db, email)
  const password = user && (await findPassword(services.db, user.id))
  return password !== undefined && isSame(version, versionOf(key, password.hash)) ? { id } : undefined
}

/** Differs for every password, and says nothing of it. */
const versionOf = (key: KeyObject, passwordHash: string): string =>
  sign(key, 'password-version', passwordHash).slice(0, 22)

const sign = (key: KeyObject, purpose: string, text: string): string =>
  createHmac('sha256', key).update(`${purpose} ${text}`).digest('base64url')

const isSame = (given: string, right: string): boolean =>
  given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right))
