// The sweep removes blobs that nothing names any more. Its cost depends on how many were put or lost a name since the
// last one, not on how many there are.
//
// It must never remove a blob that is still needed. The argument:
// 1. Whatever names a blob does so within GRACE_HOURS of a put, or because something else names it already: a
//    revision is made from an existing one. A put moves `due_at` GRACE_HOURS ahead before its bytes are there
//    (puts.ts), and so does every row that stops naming the blob, by a trigger. Only blobs that are due are looked
//    at.
// 2. A due blob is locked before it is checked for names, so that everything written before the lock is seen. A
//    concurrent put waits for the lock.
// 3. Nobody keeps a transaction open while bytes are removed. The row records the removal until `removed_until`, and
//    a put waits. The sweep stops in time: it begins no removal REMOVING_MILLISECONDS after it began to take its
//    rows, aborts those under way, and deletes a row only if it still owns it.
// 4. A process that dies in between leaves the row. After `removed_until` a put takes it over, and writes the bytes
//    if they are not there; else the next sweep removes them, or finds them removed.
// 5. Objects of an older version that cannot be read (content/name-blobs.ts) may name any bytes that were there when
//    they were written. While there are any, a blob is removed only if its bytes were looked for before the first put
//    and not found (puts.ts).
// 6. A backup reads rows first and files afterwards: from before its rows until its end, nothing is removed
//    (holds.ts).
import { sql } from 'kysely'
import { monotonicMs, now } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Database, Db, Trx } from '../db/database.ts'
import type { Log } from '../log.ts'
import { areBlobsHeld } from './holds.ts'
import { NAMING_TABLES } from './names.ts'
import type { BlobStore } from './store.ts'
import { limitConcurrency } from './turns.ts'

const BATCH = 100
// Per run, so that a stopping server need not wait for more; the rest can wait for the next run.
const BATCHES_MAX = 100
const AT_ONCE = 8
const REMOVED_SECONDS_MAX = 60
const REMOVING_MILLISECONDS = 20_000

export type SweepServices = Pick<Database, 'db' | 'transaction'> & {
  readonly blobs: Pick<BlobStore, 'find' | 'remove'>
  readonly log: Log
}

// A store that removes nothing is left alone for now; a few blobs that it cannot remove do not hold up others.
const BATCHES_IN_VAIN_MAX = 3
const FAILURE_HOURS_MAX = 24
/** Every put ends long before. */
const ABANDONED_HOURS = 48

export type SweptBlobs = { readonly count: number; readonly bytes: number; readonly failures: number }
/** `unread`: objects that held back the removal of files at the last sweep. */
export type SweepCounts = SweptBlobs & { readonly unread: number }

/** The sweeps of this process, counted since its start. */
export interface BlobSweep {
  run(): Promise<SweptBlobs>
  counts(): SweepCounts
}

/** `installation`: each sweep first makes sure that nobody else removes blobs from the store. */
export function createBlobSweep(
  services: SweepServices & { readonly blobs: Pick<BlobStore, 'claim' | 'removeAbandoned'> },
  installation: string,
): BlobSweep {
  const all = { count: 0, bytes: 0, failures: 0, unread: 0 }
  return {
    async run() {
      await services.blobs.claim(installation)
      await services.blobs.removeAbandoned(new Date(now().getTime() - ABANDONED_HOURS * 3_600_000))
      all.unread = await countUnread(services.db)
      const swept = await sweepBlobs(services)
      all.count += swept.count
      all.bytes += swept.bytes
      all.failures += swept.failures
      return swept
    },
    counts: () => ({ ...all }),
  }
}

/** Removes due blobs that nothing names, in small batches. Safe in several processes at once. */
export async function sweepBlobs(services: SweepServices): Promise<SweptBlobs> {
  const swept = { count: 0, bytes: 0, failures: 0 }
  for (let batch = 0, inVain = 0; batch < BATCHES_MAX && inVain < BATCHES_IN_VAIN_MAX; batch += 1) {
    const deadline = newDeadline()
    const { looked, own } = await services.transaction(takeDue)
    const { removed, failed, isLate } = await removeAll(services, own.hashes, deadline)
    swept.failures += failed.length
    await postpone(services, own.by, failed)
    if (failed.length > 0 && removed.length === 0) inVain += 1
    swept.count += removed.length
    for (const { bytes } of removed) swept.bytes += bytes
    await forget(
      services,
      own.by,
      removed.map(({ sha256 }) => sha256),
    )
    if (looked < BATCH || isLate) break
  }
  if (swept.count > 0) services.log.info(swept, 'removed files that nothing names')
  return swept
}

type Deadline = {
  readonly signal: AbortSignal
  /** Throws after the deadline. */
  readonly check: () => void
}

/**
 * Counts from before the rows are taken, since a process may be stopped between that and the answer. Timers are late
 * then, and the monotonic clock stops while a machine sleeps, so the deadline passes by whichever clock is ahead.
 */
function newDeadline(): Deadline {
  const [monotonic, wall] = [monotonicMs(), now().getTime()]
  const passed = () => Math.max(monotonicMs() - monotonic, now().getTime() - wall)
  return {
    signal: AbortSignal.timeout(REMOVING_MILLISECONDS),
    check() {
      if (passed() > REMOVING_MILLISECONDS) throw new Error('no time is left to remove files')
    },
  }
}

type Own = { readonly by: string; readonly hashes: readonly string[] }

async function takeDue(trx: Trx): Promise<{ readonly looked: number; readonly own: Own }> {
  const by = newId()
  const { rows: due } = await sql<{ hash: Buffer }>`
    select hash from blobs
    where due_at < now() and (removed_until is null or removed_until < now())
      and (is_new or not exists (select from unread_objects))
    order by due_at limit ${BATCH} for update skip locked`.execute(trx)
  if (due.length === 0 || (await areBlobsHeld(trx))) return { looked: 0, own: { by, hashes: [] } }
  const hashes = due.map(({ hash }) => hash)
  const named = sql.join(
    NAMING_TABLES.map(
      table => sql`exists (select from ${sql.table(table)} as naming where naming.blob_hash = blobs.hash)`,
    ),
    sql` or `,
  )
  await sql`update blobs set due_at = null, removed_by = null, removed_until = null
    where hash = any(${hashes}::bytea[]) and (${named})`.execute(trx)
  const { rows } = await sql<{ hash: Buffer }>`
    update blobs set removed_by = ${by}, removed_until = clock_timestamp() + make_interval(secs => ${REMOVED_SECONDS_MAX})
    where hash = any(${hashes}::bytea[]) and due_at is not null
    returning hash`.execute(trx)
  return { looked: due.length, own: { by, hashes: rows.map(({ hash }) => hash.toString('hex')) } }
}

type Removed = { readonly sha256: string; readonly bytes: number }

type Removals = {
  readonly removed: readonly Removed[]
  /** Removals that failed. */
  readonly failed: readonly string[]
  /** There was no time to begin all removals; the next sweep continues. */
  readonly isLate: boolean
}

async function removeAll(
  { blobs, log }: SweepServices,
  hashes: readonly string[],
  { signal, check }: Deadline,
): Promise<Removals> {
  const inTurn = limitConcurrency(AT_ONCE)
  const removed: Removed[] = []
  const begun = new Set<string>()
  let reason: unknown
  const remove = async (sha256: string): Promise<void> => {
    check()
    begun.add(sha256)
    const bytes = (await blobs.find(sha256))?.size ?? 0
    check()
    await blobs.remove(sha256, signal)
    removed.push({ sha256, bytes })
  }
  await Promise.all(
    hashes.map(sha256 =>
      inTurn(() => remove(sha256)).catch(error => {
        reason ??= error
      }),
    ),
  )
  if (reason !== undefined) log.warn({ err: reason }, 'some files that nothing names could not be removed')
  const done = new Set(removed.map(({ sha256 }) => sha256))
  const failed = [...begun].filter(hash => !done.has(hash))
  return { removed, failed, isLate: begun.size < hashes.length }
}

/**
 * Postpones these blobs: by an hour, then twice as long each time, up to a day. A put in between still waits for the
 * mark.
 */
const postpone = ({ db }: SweepServices, by: string, hashes: readonly string[]) =>
  hashes.length === 0
    ? undefined
    : sql`update blobs set failures = least(failures, 30) + 1,
        due_at = now() + make_interval(hours => least(power(2, least(failures, 30))::integer, ${FAILURE_HOURS_MAX}))
      where hash = any(${hashes.map(hash => Buffer.from(hash, 'hex'))}::bytea[]) and removed_by = ${by}`.execute(
        db,
      )

export async function countUnread(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('unread_objects')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** How many blobs could not be removed at the last attempt. */
export async function countUnremoved(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('blobs')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('due_at', 'is not', null)
    .where('failures', '>', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const forget = ({ db }: SweepServices, by: string, hashes: readonly string[]) =>
  sql`delete from blobs where hash = any(${hashes.map(hash => Buffer.from(hash, 'hex'))}::bytea[])
    and removed_by = ${by}`.execute(db)
