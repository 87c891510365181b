// Work whose cost depends on a stranger's bytes: small input at once, in this thread, the rest in threads of the pool
// with bounds on time and memory.
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
   * Runs a task for the party of the caller (`platform/fairness/party.ts`): organizations take turns, and the people
   * in each. `lane`: what it is about, such as the id of a space, which stands for an organization where none was
   * named. `beyond` is the outcome of a task that took too much time or memory, and is remembered. Callers that ask for the same while it runs share the
   * result; for a task that asks questions, only if `given` names everything that the answers depend on.
   *
   * Throws `unavailable` when too much else is waiting, and whatever an answer throws.
   */
  run<N extends Name>(
    name: N,
    lane: string,
    input: Input<N>,
    ...answers: keyof Asks<N> extends never ? [] : [Asks<N>, Dependencies?]
  ): Promise<Outcome<Output<N>>>
  /** Loads the code that this thread uses for small input, which would otherwise delay the first request. */
  load(): Promise<void>
  /** Starts the threads. */
  warm(): void
  /** For each pool, by the purpose of its tasks. */
  counts(): { readonly tasks: PoolCounts; readonly transactions: PoolCounts }
  end(): Promise<void>
}

/**
 * Up to this many characters, a task runs in this thread. A hop into another thread costs about as much as 1,000
 * characters of prose (bench/stalls.ts); for formulas, the costliest Markdown, this many take 7 ms.
 */
const INLINE_CHARACTERS_MAX = 1_000

// Two versions of the longest page; hashing that much takes a few milliseconds of this thread.
const SHARED_CHARACTERS_MAX = 2_000_000

// Processor time. The costliest page within the bounds of the parser takes 5 s.
const MILLISECONDS_MAX = 10_000
// The same for tasks that a transaction waits for.
const TRANSACTION_MILLISECONDS_MAX = 2_000
// The costliest page takes about 500 MB, uncollected garbage included.
const MEGABYTES_MAX = 768
const THREADS_MIN = 2
const THREADS_MAX = 8

/**
 * Tasks that a transaction waits for have a thread of their own. The embedded database has one session: if such a
 * task waited behind tasks that query the database, it would deadlock with them.
 */
const WITHIN_TRANSACTIONS: ReadonlySet<Name> = new Set<Name>(['followedAnchors'])

type Answers = Readonly<Record<string, (asked: unknown) => Promise<unknown>>>

/** Answers a question of a task. Async: a throw fails the task, not the process. */
async function answerTo({ kind, asked }: Question, answers: Answers): Promise<unknown> {
  const answer = answers[kind]
  assert(answer !== undefined, `the caller answers what is asked about ${kind}`)
  return answer.call(answers, asked)
}

export function createCompute({ millisecondsMax = MILLISECONDS_MAX } = {}): Compute {
  const bounds = {
    tasks: new URL('./tasks.ts', import.meta.url),
    megabytesMax: MEGABYTES_MAX,
    personWaitingMax: 200,
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
      // `Compute` types a task, its input and its answer by the name; the casts here are because TypeScript does not
      // follow that through the catalogue.
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
      // Transferred input belongs to this caller alone.
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
