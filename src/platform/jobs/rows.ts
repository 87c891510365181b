// SQL over the queue. A row is waiting (no lease), running (an unexpired lease) or given up (failed_at). Nothing here
// runs in a `transaction()`: each is a single statement, and no cache depends on the table.
import { sql } from 'kysely'
import type { Json } from '../../base/canonical.ts'
import type { Db } from '../db/database.ts'
import { violates } from '../db/failures.ts'

export const LEASE_SECONDS = 60

export interface ClaimedJob {
  readonly id: string
  readonly name: string
  readonly data: Json
  /** Including this one. */
  readonly attempts: number
}

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

/** Takes up to `limit` due jobs; `skip locked` lets several nodes take different ones at the same time. */
export async function claimJobs(
  db: Db,
  node: string,
  names: readonly string[],
  limit: number,
): Promise<ClaimedJob[]> {
  // materialized: a plain subquery may be planned to run once per row, and then take more than `limit`
  const { rows } = await sql<ClaimedJob>`
    with due as materialized (
      select id from jobs
      where failed_at is null and run_at <= now() and (locked_until is null or locked_until < now())
        and name = any(${names})
      order by run_at, id limit ${limit} for update skip locked
    )
    update jobs set locked_by = ${node}, locked_until = ${inSeconds(LEASE_SECONDS)}, attempts = attempts + 1
    from due where jobs.id = due.id
    returning jobs.id, jobs.name, jobs.data, jobs.attempts`.execute(db)
  return rows
}

/** Milliseconds until the next job can be claimed. */
export async function findNextDue(db: Db, names: readonly string[]): Promise<number | undefined> {
  const { rows } = await sql<{ milliseconds: number | null }>`
    select ceil(extract(epoch from min(greatest(run_at, locked_until)) - now()) * 1000)::int8 as milliseconds
    from jobs where failed_at is null and name = any(${names})`.execute(db)
  return rows[0]?.milliseconds ?? undefined
}

/** Extends the leases of `ids` and returns those that `node` still holds. */
export async function extendLeases(db: Db, node: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .updateTable('jobs')
    .set({ locked_until: inSeconds(LEASE_SECONDS) })
    .where('id', 'in', ids)
    .where('locked_by', '=', node)
    .returning('id')
    .execute()
  return new Set(rows.map(row => row.id))
}

export async function removeJob(db: Db, node: string, id: string): Promise<void> {
  await db.deleteFrom('jobs').where('id', '=', id).where('locked_by', '=', node).execute()
}

/**
 * Returns a job to waiting, with this number of `attempts`. If another job waits under the same key, that one does
 * the work.
 */
export async function returnJob(
  db: Db,
  node: string,
  job: { readonly id: string; readonly attempts: number },
  seconds: number,
  error: string | null,
): Promise<void> {
  try {
    await db
      .updateTable('jobs')
      .set({ locked_by: null, locked_until: null, run_at: inSeconds(seconds), attempts: job.attempts, error })
      .where('id', '=', job.id)
      .where('locked_by', '=', node)
      .execute()
  } catch (cause) {
    if (!violates(cause, 'jobs_waiting_key')) throw cause
    await removeJob(db, node, job.id)
  }
}

export async function giveUpJob(db: Db, node: string, id: string, error: string): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ locked_by: null, locked_until: null, failed_at: sql<Date>`now()`, error })
    .where('id', '=', id)
    .where('locked_by', '=', node)
    .execute()
}

/** Ends every lease: for a database that only this process has open, at the start. */
export async function endLeases(db: Db): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ locked_until: sql<Date>`now()` })
    .where('locked_until', 'is not', null)
    .execute()
}

export async function removeGivenUp(db: Db, olderThanDays: number): Promise<void> {
  await db
    .deleteFrom('jobs')
    .where('failed_at', '<', sql<Date>`now() - make_interval(days => ${olderThanDays})`)
    .execute()
}
