// Work whose cost a stranger's bytes decide: small input at once, in this thread, the rest in threads of the pool with
// bounds on time and memory.
import { availableParallelism } from 'node:os'
import { assert } from '../base/assert.ts'
import { pause } from '../base/slices.ts'
import { createPool, type PoolCounts } from '../platform/pool/pool.ts'
import type { Outcome } from '../platform/pool/thread.ts'
import { type Dependencies, SingleFlight } from './single-flight.ts'
import type { Entry, Question } from './task.ts'
import { type Catalogue, catalogue } from './tasks.ts'

type Name = keyof Catalogue
type Input<N extends Name> = Parameters<Catalogue[N]>[0]
type Output<N extends Name> = Awaited<ReturnType<Catalogue[N]>>
type Asks<N extends Name> = Parameters<Catalogue[N]>[1]

export interface Compute {
  /**
   * Carries out a task. `lane`: on whose behalf, such as the id of a space: lanes take turns. `beyond` is the answer
   * for what took too much time or memory, and is remembered. Who asks for the same while it is under way gets the same
   * result; of a task that asks, where `given` says what all of its answers depend on.
   *
   * Throws `unavailable` when too much else waits, and what an answer throws.
   */
  run<N extends Name>(
    name: N,
    lane: string,
    input: Input<N>,
    ...answers: keyof Asks<N> extends never ? [] : [Asks<N>, Dependencies?]
  ): Promise<Outcome<Output<N>>>
  /** Loads what this thread works on small input with: the first request would be held by it. */
  load(): Promise<void>
  /** Starts the threads. */
  warm(): void
  /** Of each pool, by what its tasks are for. */
  counts(): { readonly tasks: PoolCounts; readonly transactions: PoolCounts }
  end(): Promise<void>
}

/**
 * Characters that are thought about at once. A hop into a thread costs about as much as 1,000 characters of prose do
 * (bench/stalls.ts); the costliest of Markdown, formulas, take 7 ms for as many.
 */
const INLINE_CHARACTERS_MAX = 1_000

// Two versions of the longest page; a digest of so much takes a few milliseconds of this thread.
const SHARED_CHARACTERS_MAX = 2_000_000

// Of a processor. The costliest page within the bounds of the parser takes 5 s.
const MILLISECONDS_MAX = 10_000
// The same for what a transaction waits for.
const TRANSACTION_MILLISECONDS_MAX = 2_000
// The costliest page takes about 500 MB, with what is not collected yet.
const MEGABYTES_MAX = 768
const THREADS_MIN = 2
const THREADS_MAX = 8

/**
 * What a transaction waits for has a thread of its own. The embedded database has one session: were that transaction to
 * wait behind tasks that ask something of the database, both would wait for each other.
 */
const WITHIN_TRANSACTIONS: ReadonlySet<Name> = new Set<Name>(['followedAnchors'])

type Answers = Readonly<Record<string, (asked: unknown) => Promise<unknown>>>

/** Answers a task that asks from its thread. Async: what it throws is a failure of the task, not of the process. */
async function answerTo({ kind, asked }: Question, answers: Answers): Promise<unknown> {
  const answer = answers[kind]
  assert(answer !== undefined, `the caller answers what is asked about ${kind}`)
  return answer.call(answers, asked)
}

export function createCompute({ millisecondsMax = MILLISECONDS_MAX } = {}): Compute {
  const bounds = {
    tasks: new URL('./tasks.ts', import.meta.url),
    megabytesMax: MEGABYTES_MAX,
    laneWaitingMax: 200,
    waitingMax: 1_000,
    waitMillisecondsMax: 15_000,
  }
  const pool = createPool({
    ...bounds,
    threadsMax: Math.min(THREADS_MAX, Math.max(THREADS_MIN, availableParallelism())),
  })
  const ofTransactions = createPool({ ...bounds, threadsMax: 1 })
  const flights = new SingleFlight()
  return {
    async run(name, lane, input, ...[answers, given = answers === undefined ? [] : undefined]) {
      // `Compute` types a task, its input and its answer by the name; the casts here are because TypeScript does not follow
      // that through the catalogue.
      const { load, sizeOf, handedOver } = catalogue[name] as Entry<unknown, unknown>
      const ask = (answers ?? {}) as Answers
      const size = sizeOf(input)
      if (size <= INLINE_CHARACTERS_MAX) {
        await pause()
        const task = await load()
        return { kind: 'done', value: await task(input, ask) } as never
      }
      const isAwaited = WITHIN_TRANSACTIONS.has(name)
      const job = {
        task: name,
        input,
        transfer: handedOver?.(input) ?? [],
        millisecondsMax: isAwaited
          ? Math.min(millisecondsMax, TRANSACTION_MILLISECONDS_MAX)
          : millisecondsMax,
        answer: (question: unknown) => answerTo(question as Question, ask),
      }
      const runTask = () => (isAwaited ? ofTransactions : pool).run(lane, job)
      // What is handed over is the caller's alone.
      const isShared = size <= SHARED_CHARACTERS_MAX && handedOver === undefined
      return (isShared ? flights.share([name, lane, input], given, runTask) : runTask()) as never
    },
    async load() {
      for (const { load } of Object.values(catalogue)) await load()
    },
    warm: () => pool.warm(),
    counts: () => ({ tasks: pool.counts(), transactions: ofTransactions.counts() }),
    async end() {
      await Promise.all([pool.end(), ofTransactions.end()])
    },
  }
}
