// Threads for work that would hold up everybody else. They are started on demand, kept while in use, and shared
// fairly: work waits in lanes that take turns, and no lane ever has all of the threads.
import { unavailable } from '../../base/errors.ts'
import { type Job, type Outcome, Thread } from './thread.ts'

export type PoolBounds = {
  /** A module that exports `tasks`, by name. */
  readonly tasks: URL
  readonly threadsMax: number
  /** The JavaScript heap of each thread. */
  readonly megabytesMax: number
  /** How many jobs of one lane, and of all, may wait for a thread. */
  readonly laneWaitingMax: number
  readonly waitingMax: number
  /** How long a job may wait. */
  readonly waitMillisecondsMax: number
}

export type PoolCounts = {
  readonly threads: number
  readonly running: number
  readonly waiting: number
  readonly done: number
  readonly beyondTime: number
  readonly beyondMemory: number
  readonly refused: number
}

/** Tasks by name. */
type Tasks = Readonly<Record<string, (input: never, ask: never) => unknown>>
type AnyTasks = Readonly<Record<string, (input: unknown, ask: never) => unknown>>

/** `Of` is the type of the tasks that its module exports. */
export interface Pool<Of extends Tasks = AnyTasks> {
  /**
   * The result of the job. Throws whatever its questions threw, `unavailable` if too many jobs wait or it waited too
   * long, and a plain error if the task itself failed.
   */
  run<Name extends keyof Of & string>(
    lane: string,
    job: Job & { readonly task: Name; readonly input: Parameters<Of[Name]>[0] },
  ): Promise<Outcome<Awaited<ReturnType<Of[Name]>>>>
  /** Starts a thread, so that the first job finds one. */
  warm(): void
  counts(): PoolCounts
  /** Ends all threads; running and waiting jobs are refused. A later job starts new threads. */
  end(): Promise<void>
}

type WaitingJob = { readonly job: Job; start(thread: Thread): void; refuse(): void }

// Long enough that readers who follow links find a warm thread.
const IDLE_MILLISECONDS = 60_000

export function createPool<Of extends Tasks = AnyTasks>(bounds: PoolBounds): Pool<Of> {
  const { threadsMax } = bounds
  const perLaneMax = Math.max(1, threadsMax - 1)
  const lanes = new Map<string, WaitingJob[]>()
  const running = new Map<string, number>()
  const threads = new Set<Thread>()
  const idle: { readonly thread: Thread }[] = []
  // Threads that exceeded their bounds and are still in native code.
  let ending = 0
  let waiting = 0
  const counts = { done: 0, beyondTime: 0, beyondMemory: 0, refused: 0 }

  const startThread = (): Thread => {
    const thread = new Thread(bounds.tasks, bounds.megabytesMax)
    threads.add(thread)
    void thread.ended.then(() => forgetIdle(thread))
    return thread
  }

  const discard = (thread: Thread) => {
    if (!threads.delete(thread)) return
    ending += 1
    void thread.end().finally(() => {
      ending -= 1
      startWaiting()
    })
  }

  /** Removes a thread that ended while idle. */
  const forgetIdle = (thread: Thread) => {
    const at = idle.findIndex(entry => entry.thread === thread)
    if (at === -1) return
    idle.splice(at, 1)
    discard(thread)
  }

  /** The first thread is kept, the others only while they are used. */
  const rest = (thread: Thread) => {
    if (!threads.has(thread)) return
    const entry = { thread }
    idle.push(entry)
    const timer = setTimeout(() => {
      const at = idle.indexOf(entry)
      if (at <= 0) return
      idle.splice(at, 1)
      discard(thread)
    }, IDLE_MILLISECONDS)
    timer.unref()
  }

  /** Gives a free thread to the next lane that may have one, until either runs out. */
  const startWaiting = () => {
    for (const [lane, queue] of lanes) {
      const isFree = idle.length > 0 || (threads.size < threadsMax && threads.size + ending < 2 * threadsMax)
      if (!isFree) return
      if ((running.get(lane) ?? 0) >= perLaneMax) continue
      const next = queue.shift()
      // Moves the lane to the end of the round.
      lanes.delete(lane)
      if (queue.length > 0) lanes.set(lane, queue)
      if (next === undefined) continue
      waiting -= 1
      running.set(lane, (running.get(lane) ?? 0) + 1)
      next.start(idle.pop()?.thread ?? startThread())
    }
  }

  const finish = (lane: string) => {
    const left = (running.get(lane) ?? 1) - 1
    if (left === 0) running.delete(lane)
    else running.set(lane, left)
    startWaiting()
  }

  const runJob = async (lane: string, thread: Thread, job: Job): Promise<Outcome> => {
    try {
      const outcome = await thread.run(job)
      if (outcome.kind === 'done') counts.done += 1
      else if (outcome.bound === 'time') counts.beyondTime += 1
      else counts.beyondMemory += 1
      return outcome
    } catch (error) {
      throw threads.has(thread) ? error : refused()
    } finally {
      if (thread.isEnded) discard(thread)
      else rest(thread)
      finish(lane)
    }
  }

  const refused = () => {
    counts.refused += 1
    return unavailable('busy', 'The server has more work than it can do in time. Try again in a few seconds.')
  }

  return {
    run(lane, job) {
      const queue = lanes.get(lane) ?? []
      if (waiting >= bounds.waitingMax || queue.length >= bounds.laneWaitingMax)
        return Promise.reject(refused())
      // The result type of the named task.
      const { promise, resolve, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(entry), 1)
        if (queue.length === 0) lanes.delete(lane)
        waiting -= 1
        reject(refused())
      }, bounds.waitMillisecondsMax)
      timer.unref()
      const entry: WaitingJob = {
        job,
        start(thread) {
          clearTimeout(timer)
          runJob(lane, thread, job).then(outcome => resolve(outcome as never), reject)
        },
        refuse() {
          clearTimeout(timer)
          reject(refused())
        },
      }
      queue.push(entry)
      lanes.set(lane, queue)
      waiting += 1
      startWaiting()
      return promise
    },
    warm() {
      if (threads.size === 0) rest(startThread())
    },
    counts: () => ({
      threads: threads.size,
      running: threads.size - idle.length,
      waiting,
      ...counts,
    }),
    async end() {
      for (const queue of lanes.values()) for (const entry of queue) entry.refuse()
      lanes.clear()
      waiting = 0
      idle.length = 0
      const last = [...threads]
      threads.clear()
      await Promise.all(last.map(thread => thread.end()))
    },
  }
}
