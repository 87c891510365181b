// What the job runner counts, and how far behind the queue is.
import { sql } from 'kysely'
import { monotonicMs } from '../../base/clock.ts'
import { type DurationCounts, NamedDurations, Tally } from '../../base/tallies.ts'
import type { Db } from '../db/database.ts'
import { createGlance } from '../db/glance.ts'

/** `postponed`: it could not begin yet, or this process ended it. Neither counts as an attempt. */
export type JobEnd = 'done' | 'retried' | 'given_up' | 'postponed'

/** Due jobs that no process has taken. */
export type Backlog = { readonly waiting: number; readonly oldestSeconds: number }

export interface JobCounts {
  running(): number
  /** By kind and outcome: `mail.send done`. */
  ended(): ReadonlyMap<string, number>
  /** By kind. */
  durations(): ReadonlyMap<string, DurationCounts>
  /** Undefined if the database does not say so at once. */
  backlog(): Promise<Backlog | undefined>
}

const BOUNDS_MS = [10, 50, 100, 500, 1_000, 5_000, 10_000, 60_000, 300_000]
/** Counting more would cost more than it says. */
const WAITING_COUNTED_MAX = 10_000

export class JobTally {
  readonly #ended = new Tally()
  readonly #durations = new NamedDurations(BOUNDS_MS)

  add(name: string, end: JobEnd, since: number): void {
    this.#ended.add(`${name} ${end}`)
    this.#durations.add(name, monotonicMs() - since)
  }

  /** `running`: how many jobs this process runs. */
  counts(db: Db, running: () => number): JobCounts {
    return {
      running,
      ended: () => this.#ended.counts(),
      durations: () => this.#durations.counts(),
      backlog: createGlance(() => findBacklog(db)),
    }
  }
}

async function findBacklog(db: Db): Promise<Backlog | undefined> {
  const { rows } = await sql<{ waiting: number; oldestSeconds: number }>`
    select count(*)::int8 as waiting, coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as "oldestSeconds"
    from (select run_at from jobs
      where failed_at is null and run_at <= now() and (locked_until is null or locked_until < now())
      order by run_at limit ${WAITING_COUNTED_MAX}) as due`.execute(db)
  return rows[0]
}
