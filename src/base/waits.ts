// How long work waits in the server's queues, as histograms that `/metrics` shows.
import { type DurationCounts, Durations } from './tallies.ts'

/** Where work waits: for the thread, for a connection to the database, for the turn at a head, for a pool's thread. */
export type QueueName = 'loop' | 'slice' | 'database' | 'turn' | 'pool'

const BUCKETS = [1, 5, 20, 100, 500, 2_000, 10_000, 30_000] as const

const queues: Readonly<Record<QueueName, Durations>> = {
  loop: new Durations(BUCKETS),
  slice: new Durations(BUCKETS),
  database: new Durations(BUCKETS),
  turn: new Durations(BUCKETS),
  pool: new Durations(BUCKETS),
}

/** Counts one wait in the queue. */
export const recordWait = (queue: QueueName, ms: number): void => queues[queue].add(ms)

/** The waits of each queue since the start of the process. */
export const waitCounts = (): readonly (readonly [QueueName, DurationCounts])[] =>
  (Object.keys(queues) as QueueName[]).map(name => [name, queues[name].counts()])
