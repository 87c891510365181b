// Guessing is slow: some wrong passwords for one mail address, and for a while even the right one is refused. What was
// typed is counted, not who it belongs to, so that nothing can be told of an address by it.
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { now } from '../../base/clock.ts'
import type { Services } from '../../http/context.ts'
import type { Db } from '../../platform/db/database.ts'

/** So many tries, and the address is locked. */
export const TRIES_MAX = 10
export const LOCK_MINUTES = 15
/** Whoever did not try for so long begins anew. */
export const TRIES_FORGOTTEN_MINUTES = 60
const MINUTE_MS = 60_000

type Keyed = Pick<Services, 'db' | 'signingKey'>

/** What is counted for an address, how often it may come, and for how long it is refused then. */
export type Bound = { readonly name: string; readonly max: number; readonly lockMinutes: number }

const PASSWORDS: Bound = { name: 'sign-in', max: TRIES_MAX, lockMinutes: LOCK_MINUTES }

export type Try =
  | { readonly isLocked: true }
  /** `isLast`: another one is refused for a while. */
  | { readonly isLocked: false; readonly isLast: boolean }

/**
 * Counts a try before its password is looked at, so that those that come at once are counted one by one. The try at a
 * locked address is not to be looked at. One that succeeds is forgotten with `forgetTries`.
 */
export async function countTry(
  services: Keyed,
  email: string,
  { name, max, lockMinutes }: Bound = PASSWORDS,
): Promise<Try> {
  const time = now()
  const lockedUntil = new Date(time.getTime() + lockMinutes * MINUTE_MS)
  const forgotten = new Date(time.getTime() - TRIES_FORGOTTEN_MINUTES * MINUTE_MS)
  // a lock that is still there is over, or the row would not be written
  const isOver = sql`(known.locked_until is not null or known.last_failed_at < ${forgotten})`
  const { rows } = await sql<{ failures: number }>`
    insert into sign_in_failures as known (key, failures, last_failed_at) values (${keyOf(services, name, email)}, 1, ${time})
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

export const forgetTries = (db: Db, { signingKey }: Pick<Services, 'signingKey'>, email: string) =>
  db
    .deleteFrom('sign_in_failures')
    .where('key', '=', keyOf({ signingKey }, PASSWORDS.name, email))
    .execute()

/** Whatever has no weight any more. */
export const removeOldTries = (db: Db) =>
  db
    .deleteFrom('sign_in_failures')
    .where('last_failed_at', '<', new Date(now().getTime() - TRIES_FORGOTTEN_MINUTES * MINUTE_MS))
    .execute()

/** People type passwords where the address belongs: a hash of a known key keeps them from whoever reads the table. */
const keyOf = ({ signingKey }: Pick<Services, 'signingKey'>, name: string, email: string): Buffer =>
  createHmac('sha256', signingKey).update(`${name} ${email}`).digest()
