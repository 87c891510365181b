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
  /** null for work that belongs to nobody */
  readonly for_organization: string | null
  readonly for_person: string | null
}

/** Where parties stand in the turns of this process. */
export interface Standings {
  /** By organization, and by organization and person; those not named here run nothing and had no turn lately. */
  readonly organizations: readonly Standing[]
  readonly persons: readonly Standing[]
}

export interface Standing {
  readonly name: string
  readonly running: number
  /** Grows with each turn. */
  readonly lastTurn: number
}

export interface Claim {
  readonly names: readonly string[]
  readonly limit: number
  /** How many may run for one organization. */
  readonly ofOrganizationMax: number
}

/** The name of an organization, and of a person in it, in `Standings`. */
export const organizationName = (organization: string | null): string => organization ?? ''
export const personName = (organization: string | null, person: string | null): string =>
  `${organization ?? ''} ${person ?? ''}`

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

/**
 * Takes due jobs: those of the organization that runs least and had no turn for longest come first, and likewise those
 * of each person in it. `skip locked` lets several nodes take different ones at the same time.
 */
export async function claimJobs(
  db: Db,
  node: string,
  { names, limit, ofOrganizationMax }: Claim,
  { organizations, persons }: Standings,
): Promise<ClaimedJob[]> {
  // materialized: a plain subquery may be planned to run once per row, and then take more than `limit`
  const { rows } = await sql<ClaimedJob>`
    with waiting as materialized (
      select id, run_at, coalesce(for_organization, '') as organization,
        coalesce(for_organization, '') || ' ' || coalesce(for_person, '') as person
      from jobs
      where ${isDue} and name = any(${names})
    ), of_persons as materialized (
      select waiting.id, run_at, organization, coalesce("lastTurn", 0) as last_turn,
        coalesce(running, 0) + row_number() over (partition by person order by run_at, waiting.id) as round
      from waiting left join jsonb_to_recordset(${JSON.stringify(persons)}::jsonb)
        as standing(name text, running int8, "lastTurn" int8) on standing.name = person
    ), of_organizations as materialized (
      select id, run_at, coalesce("lastTurn", 0) as last_turn, coalesce(running, 0)
        + row_number() over (partition by organization order by round, last_turn, run_at, id) as round
      from of_persons left join jsonb_to_recordset(${JSON.stringify(organizations)}::jsonb)
        as standing(name text, running int8, "lastTurn" int8) on standing.name = organization
    ), due as materialized (
      select jobs.id from jobs join of_organizations turn on turn.id = jobs.id
      where ${isDue} and round <= ${ofOrganizationMax}
      order by round, last_turn, turn.run_at, jobs.id limit ${limit} for update of jobs skip locked
    )
    update jobs set locked_by = ${node}, locked_until = ${inSeconds(LEASE_SECONDS)}, attempts = attempts + 1
    from due where jobs.id = due.id
    returning jobs.id, jobs.name, jobs.data, jobs.attempts, jobs.for_organization, jobs.for_person`.execute(
    db,
  )
  return rows
}

const isDue = sql`jobs.failed_at is null and jobs.run_at <= now()
  and (jobs.locked_until is null or jobs.locked_until < now())`

/** Milliseconds until the next job of an organization that is not `full` can be claimed. */
export async function findNextDue(
  db: Db,
  names: readonly string[],
  full: readonly string[],
): Promise<number | undefined> {
  const { rows } = await sql<{ milliseconds: number | null }>`
    select ceil(extract(epoch from min(greatest(run_at, locked_until)) - now()) * 1000)::int8 as milliseconds
    from jobs
    where failed_at is null and name = any(${names}) and coalesce(for_organization, '') <> all(${full})`.execute(
    db,
  )
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
