// Puts are recorded before their bytes are stored, so that the sweep knows of every blob, and spares those that are
// about to be named (record 53).
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { unavailable } from '../../base/errors.ts'
import type { Database, Db } from '../db/database.ts'
import { isWorthRetrying } from '../db/failures.ts'
import type { BeforePut } from './store.ts'

/** The longest time between a put and the row that names the blob, and how long a blob without a name is kept. */
const GRACE_HOURS = 24

const ADOPTED_AT_ONCE = 1000
// Others write the same rows in another order, so a deadlock is retried.
const ATTEMPTS_MAX = 5
const WAITS_MAX = 50
const WAIT_MILLISECONDS = 200

/**
 * What a store calls before a put. While a sweep is removing the blob, the put waits, and stores the bytes again
 * afterwards.
 *
 * @throws Failure unavailable `blob_busy`.
 */
export function recordPuts(db: Db): BeforePut {
  const record = together((hashes: readonly string[]) => tryRecordAll(db, hashes))
  return async (sha256, isThere) => {
    for (let waits = 0; ; waits += 1) {
      const recorded = await record(sha256)
      if (recorded === 'to be looked for' && !(await isThere())) await markNew(db, sha256)
      if (recorded !== undefined) return
      if (waits === WAITS_MAX)
        throw unavailable('blob_busy', 'The same file is being removed right now. Try again in a minute.')
      await sleep(WAIT_MILLISECONDS)
    }
  }
}

/** Whether to check that the bytes were not there, which costs a request to a bucket. */
type Recorded = 'known' | 'to be looked for'

const markNew = (db: Db, sha256: string) =>
  sql`update blobs set is_new = true where hash = ${Buffer.from(sha256, 'hex')}`.execute(db)

// Deleting many names at once writes their blobs' rows in another order, so the two can deadlock.
async function tryRecordAll(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, Recorded>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await recordAll(db, hashes)
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isWorthRetrying(error)) throw error
    }
  }
}

/** The recorded blobs. The others are being removed. */
async function recordAll(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, Recorded>> {
  const { rows } = await sql<{ hash: Buffer; is_sought: boolean }>`
    insert into blobs (hash, due_at)
      select hash, now() + make_interval(hours => ${GRACE_HOURS})
      from unnest(${hashes.map(hash => Buffer.from(hash, 'hex'))}::bytea[]) as put (hash)
      -- in one order, so that two puts of the same blobs never wait for each other in a circle
      group by hash order by hash
    on conflict (hash) do update set due_at = excluded.due_at, removed_by = null, removed_until = null,
      failures = 0
      where blobs.removed_until is null or blobs.removed_until < now()
    -- a row that was there before has an xmax: the lock that on conflict takes
    returning hash, xmax = 0 and exists (select from unread_objects) as is_sought`.execute(db)
  return new Map(
    rows.map(({ hash, is_sought }) => [hash.toString('hex'), is_sought ? 'to be looked for' : 'known']),
  )
}

/**
 * Schedules blobs without a row for the sweep: put by an older version, or left by a restore. Answers how many of
 * `hashes` had none. `isDryRun` only counts.
 */
export async function adoptBlobs(
  { db }: Pick<Database, 'db'>,
  hashes: readonly string[],
  isDryRun: boolean,
): Promise<number> {
  let unknown = 0
  for (let at = 0; at < hashes.length; at += ADOPTED_AT_ONCE) {
    const some = hashes.slice(at, at + ADOPTED_AT_ONCE).map(hash => Buffer.from(hash, 'hex'))
    const { rows } = await sql<{ hash: Buffer }>`
      select hash from unnest(${some}::bytea[]) as there (hash)
      where not exists (select from blobs where blobs.hash = there.hash)`.execute(db)
    unknown += rows.length
    if (isDryRun) continue
    await sql`insert into blobs (hash, due_at)
      select hash, now() + make_interval(hours => ${GRACE_HOURS})
      from unnest(${rows.map(({ hash }) => hash)}::bytea[]) as unknown (hash)
      on conflict (hash) do nothing`.execute(db)
  }
  return unknown
}

/** Batches the questions asked while an answer is awaited: many puts then cost one statement. */
function together<T, A>(
  ask: (all: readonly T[]) => Promise<ReadonlyMap<T, A>>,
): (one: T) => Promise<A | undefined> {
  let next: { readonly all: T[]; readonly answer: Promise<ReadonlyMap<T, A>> } | undefined
  let last: Promise<unknown> = Promise.resolve()
  return async one => {
    if (next === undefined) {
      const all: T[] = []
      const answer = last.then(() => {
        next = undefined
        return ask(all)
      })
      last = answer.catch(() => {})
      next = { all, answer }
    }
    next.all.push(one)
    return (await next.answer).get(one)
  }
}
