// Bounds guessing: after some wrong passwords for one email address even the right one is refused for a while. Tries
// are counted by the typed address, not by user, so that a lock does not reveal who has an account. A browser that the
// address is known by has a count of its own.
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { now } from '../../base/clock.ts'
import type { Services } from '../../http/context.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Device } from './devices.ts'

/** Tries before an address is locked. */
export const TRIES_MAX = 10
export const LOCK_MINUTES = 15
/** Counts are reset after this time without a try. */
export const TRIES_FORGOTTEN_MINUTES = 60
const MINUTE_MS = 60_000

type Keyed = Pick<Services, 'db' | 'signingKey'>

/** How many tries of one kind an address or a device has, and how long it is locked after them. */
export type Bound = { readonly name: string; readonly max: number; readonly lockMinutes: number }

const PASSWORDS: Bound = { name: 'sign-in', max: TRIES_MAX, lockMinutes: LOCK_MINUTES }
const DEVICES: Bound = { ...PASSWORDS, name: 'device' }
const SESSIONS: Bound = { ...PASSWORDS, name: 'session' }
const FACTORS: Bound = { ...PASSWORDS, name: 'factor' }
const FACTORS_OF_DEVICES: Bound = { ...PASSWORDS, name: 'factor-device' }

/** What tries of a password are counted by. */
export type Counted = { readonly of: string; readonly bound: Bound }

export const countedBy = (email: string, device: Device | undefined): Counted =>
  device === undefined ? { of: email, bound: PASSWORDS } : { of: device.id, bound: DEVICES }

/** Somebody in a session: what strangers try for their address does not lock them. */
export const countedBySession = (id: string): Counted => ({ of: id, bound: SESSIONS })

/** Somebody with the password: only they can try codes, and a browser that is known has tries of its own. */
export const countedByFactor = (userId: string, device: Device | undefined): Counted =>
  device === undefined
    ? { of: userId, bound: FACTORS }
    : { of: `${userId} ${device.id}`, bound: FACTORS_OF_DEVICES }

export type Try =
  | { readonly isLocked: true }
  /** `isLast`: another one is refused for a while. */
  | { readonly isLocked: false; readonly isLast: boolean }

/**
 * Counts a try before its password is checked, so concurrent tries count one by one. No password is checked for a
 * locked address. `forgetTries` resets the count after a success.
 */
export async function countTry(
  services: Keyed,
  { of, bound: { name, max, lockMinutes } }: Counted,
): Promise<Try> {
  const time = now()
  const lockedUntil = new Date(time.getTime() + lockMinutes * MINUTE_MS)
  const forgotten = new Date(time.getTime() - TRIES_FORGOTTEN_MINUTES * MINUTE_MS)
  // The `where` below skips rows whose lock is not over.
  const isOver = sql`(known.locked_until is not null or known.last_failed_at < ${forgotten})`
  const { rows } = await sql<{ failures: number }>`
    insert into sign_in_failures as known (key, failures, last_failed_at) values (${keyOf(services, name, of)}, 1, ${time})
    on conflict (key) do update set
      failures = case when ${isOver} then 1 else known.failures + 1 end,
      last_failed_at = excluded.last_failed_at,
      locked_until = case when not ${isOver} and known.failures + 1 >= ${sql.lit(max)}
        then ${lockedUntil}::timestamptz end
    where known.locked_until is null or known.locked_until <= excluded.last_failed_at
    returning failures`.execute(services.db)
  const row = rows[0]
  return row === undefined ? { isLocked: true } : { isLocked: false, isLast: row.failures >= max }
}

export const forgetTries = (db: Db, signing: Pick<Services, 'signingKey'>, { of, bound }: Counted) =>
  db
    .deleteFrom('sign_in_failures')
    .where('key', '=', keyOf(signing, bound.name, of))
    .execute()

/** Counts that no longer matter. */
export const removeOldTries = (db: Db) =>
  db
    .deleteFrom('sign_in_failures')
    .where('last_failed_at', '<', new Date(now().getTime() - TRIES_FORGOTTEN_MINUTES * MINUTE_MS))
    .execute()

/** People type passwords into the field of the address: a keyed hash hides them from readers of the table. Counts begin anew when
 * the key is rotated. */
const keyOf = ({ signingKey }: Pick<Services, 'signingKey'>, name: string, of: string): Buffer =>
  createHmac('sha256', signingKey.current).update(`${name} ${of}`).digest()
