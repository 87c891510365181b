// How long work waits in the server's queues, as histograms that `/metrics` shows.

/** Where work waits: for the thread, for a connection to the database, for the turn at a head, for a pool's thread. */
export type QueueName = 'loop' | 'slice' | 'database' | 'turn' | 'pool'

export type WaitCounts = {
  /** How many waits took at most that many milliseconds. */
  readonly atMost: ReadonlyMap<number, number>
  readonly count: number
  readonly sumMs: number
  readonly longestMs: number
}

const BUCKETS = [1, 5, 20, 100, 500, 2_000, 10_000, 30_000] as const

class Waits {
  readonly #within = BUCKETS.map(() => 0)
  #count = 0
  #sumMs = 0
  #longestMs = 0

  add(ms: number): void {
    const bucket = BUCKETS.findIndex(most => ms <= most)
    if (bucket !== -1) this.#within[bucket] = (this.#within[bucket] ?? 0) + 1
    this.#count += 1
    this.#sumMs += ms
    this.#longestMs = Math.max(this.#longestMs, ms)
  }

  counts(): WaitCounts {
    let sum = 0
    const atMost = new Map<number, number>()
    for (const [bucket, ms] of BUCKETS.entries()) {
      sum += this.#within[bucket] ?? 0
      atMost.set(ms, sum)
    }
    return { atMost, count: this.#count, sumMs: this.#sumMs, longestMs: this.#longestMs }
  }
}

const queues: Readonly<Record<QueueName, Waits>> = {
  loop: new Waits(),
  slice: new Waits(),
  database: new Waits(),
  turn: new Waits(),
  pool: new Waits(),
}

/** Counts one wait in the queue. */
export const recordWait = (queue: QueueName, ms: number): void => queues[queue].add(ms)

/** The waits of each queue since the start of the process. */
export const waitCounts = (): readonly (readonly [QueueName, WaitCounts])[] =>
  (Object.keys(queues) as QueueName[]).map(name => [name, queues[name].counts()])
