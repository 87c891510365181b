// Puts are written down before their bytes are there, so that the sweep knows of every blob, and leaves those alone that
// somebody is about to name (record 53).
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { unavailable } from '../../base/errors.ts'
import { isWorthRetrying } from '../db/failures.ts'
import type { Database, Db } from '../db/open.ts'
import type { BeforePut } from './store.ts'

/** How long a put may take until something names the blob, and how long one that nothing names any more is kept. */
export const GRACE_HOURS = 24

const ADOPTED_AT_ONCE = 1000
// How often rows that others write in another order may be in the way.
const ATTEMPTS_MAX = 5
const WAITS_MAX = 50
const WAIT_MILLISECONDS = 200

/**
 * What a store calls before a put. While a sweep removes the blob the put waits, and puts the bytes anew afterwards.
 *
 * @throws Failure unavailable `blob_busy`.
 */
export function recordPuts(db: Db): BeforePut {
  const record = together((hashes: readonly string[]) => tryRecordAll(db, hashes))
  return async sha256 => {
    for (let waits = 0; !(await record(sha256)); waits += 1) {
      if (waits === WAITS_MAX)
        throw unavailable('blob_busy', 'The same file is being removed right now. Try again in a minute.')
      await sleep(WAIT_MILLISECONDS)
    }
  }
}

// Who deletes many names at once gives their blobs another day, in the order of what named them.
async function tryRecordAll(db: Db, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await recordAll(db, hashes)
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isWorthRetrying(error)) throw error
    }
  }
}

/** Those that are written down. The others are being removed. */
async function recordAll(db: Db, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ hash: Buffer }>`
    insert into blobs (hash, due_at)
      select hash, now() + make_interval(hours => ${GRACE_HOURS})
      from unnest(${hashes.map(hash => Buffer.from(hash, 'hex'))}::bytea[]) as put (hash)
      -- in one order, so that two puts of the same blobs never wait for each other in a circle
      group by hash order by hash
    on conflict (hash) do update set due_at = excluded.due_at, removed_by = null, removed_until = null
      where blobs.removed_until is null or blobs.removed_until < now()
    returning hash`.execute(db)
  return new Set(rows.map(({ hash }) => hash.toString('hex')))
}

/**
 * Has blobs swept that no row knows: put by an older version, or left by a restore. Answers how many of `hashes` no row
 * knew. `isDryRun` counts them and writes nothing.
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

/** Asks for everything together that is asked for while an answer is awaited: many puts then cost one statement. */
function together<T>(ask: (all: readonly T[]) => Promise<ReadonlySet<T>>): (one: T) => Promise<boolean> {
  let next: { readonly all: T[]; readonly answer: Promise<ReadonlySet<T>> } | undefined
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
    return (await next.answer).has(one)
  }
}
