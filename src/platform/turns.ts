// Taking turns within this process, for writers of one space that would only overtake each other. Turns make progress
// fair and retries rare; they guarantee nothing between processes, so writers still compare and set.
import { monotonicMs } from '../base/clock.ts'
import { unavailable } from '../base/errors.ts'
import { goFirst } from '../base/priority.ts'
import { recordWait } from '../base/waits.ts'

/** How many may wait for one key: each is a request that holds its body. */
export const TURNS_WAITING_MAX = 200
/** How long a request waits. A longer wait is refused at once, as far as it can be predicted. */
const TURN_WAIT_MS_MAX = 15_000

type Queue = {
  turn: Promise<unknown>
  /** Resolves when the last turn in the queue begins. */
  begun: Promise<void>
  waiting: number
  /** How long turns took recently. */
  turnMs: number
}

export type Turns = {
  /**
   * Runs `run` once all earlier turns for `key` have ended, with or without success. A turn that asks for its own key
   * again would wait forever. Rejects with `unavailable`, without running `run`, if too many are waiting, if the wait
   * is predicted to be too long, or if it was.
   *
   * `prepare` is called when the previous turn begins, so that one prepares at a time; without a previous turn it is
   * not called. Like the turn, which waits for its result, it goes before other work.
   */
  takeTurn<T>(key: string, run: () => Promise<T>, prepare?: () => Promise<unknown>): Promise<T>
  /** The same for background work, which waits without a limit. */
  awaitTurn<T>(key: string, run: () => Promise<T>): Promise<T>
}

/** `clock`: milliseconds that never go back. */
export function createTurns(waitMsMax: number, clock = monotonicMs): Turns {
  const queues = new Map<string, Queue>()

  const enqueue = <T>(key: string, run: () => Promise<T>, prepare?: () => Promise<unknown>): Promise<T> => {
    const idle = { turn: Promise.resolve(), begun: Promise.resolve(), waiting: -1, turnMs: 0 }
    const queue: Queue = queues.get(key) ?? idle
    queues.set(key, queue)
    queue.waiting += 1
    if (queue.waiting > 0 && prepare !== undefined) void queue.begun.then(() => goFirst(prepare))
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    queue.begun = begun
    const since = clock()
    const timed = async () => {
      begin()
      const start = clock()
      recordWait('turn', start - since)
      try {
        return await goFirst(run)
      } finally {
        queue.turnMs = (queue.turnMs + clock() - start) / 2
      }
    }
    const turn = queue.waiting === 0 ? timed() : queue.turn.then(timed)
    const done = () => {
      queue.waiting -= 1
      if (queue.waiting < 0) queues.delete(key)
    }
    queue.turn = turn.then(done, done)
    return turn
  }

  return {
    awaitTurn: enqueue,
    async takeTurn<T>(key: string, run: () => Promise<T>, prepare?: () => Promise<unknown>) {
      const { waiting, turnMs } = queues.get(key) ?? { waiting: -1, turnMs: 0 }
      if (waiting >= TURNS_WAITING_MAX || (waiting + 1) * turnMs > waitMsMax) throw busy()
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      let isRefused = false
      const timer = setTimeout(() => {
        isRefused = true
        reject(busy())
      }, waitMsMax)
      const runInTime = async () => {
        clearTimeout(timer)
        if (!isRefused) await run().then(resolve, reject)
      }
      enqueue(key, runInTime, async () => {
        if (!isRefused) await prepare?.()
      })
      // `run` settles it, which answers a T.
      return promise as Promise<T>
    },
  }
}

const busy = () =>
  unavailable('busy', 'Too many writes to the same place are waiting. Try again in a few seconds.')

export const { takeTurn, awaitTurn } = createTurns(TURN_WAIT_MS_MAX)

/** The key of everything that moves the head of a space. */
export const turnOfSpace = (spaceId: string): string => `space:${spaceId}`

/** The key of everything that moves the head of a change request. */
export const turnOfChangeRequest = (changeRequestId: string): string => `change-request:${changeRequestId}`
