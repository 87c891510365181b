// Threads for work that would hold up everybody else. They are started on demand, kept while in use, and shared
// fairly: organizations take turns, and the people within each; no organization ever has all of the threads.
import { monotonicMs } from '../../base/clock.ts'
import { unavailable } from '../../base/errors.ts'
import { type Span, traced } from '../../base/traces.ts'
import { recordWait } from '../../base/waits.ts'
import { FairQueue } from '../fairness/fair-queue.ts'
import { currentParty, forSameParty } from '../fairness/party.ts'
import { makeRoom } from '../fairness/room.ts'
import { type Job, type Outcome, Thread } from './thread.ts'

export type PoolBounds = {
  /** A module that exports `tasks`, by name. */
  readonly tasks: URL
  readonly threadsMax: number
  /** The JavaScript heap of each thread. */
  readonly megabytesMax: number
  /** How many jobs of one person, and of all, may wait for a thread; of one organization, half of all. */
  readonly personWaitingMax: number
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
   * The result of the job, which is done for the party of the caller; `lane` is its organization, where none was
   * named. Throws whatever its questions threw, `unavailable` if too many jobs wait, if it waited too
   * long, or if an organization with fewer that wait got its place, and a plain error if the task itself failed.
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

type WaitingJob = { start(thread: Thread): void; refuse(): void }

// Long enough that readers who follow links find a warm thread.
const IDLE_MILLISECONDS = 60_000

export function createPool<Of extends Tasks = AnyTasks>(bounds: PoolBounds): Pool<Of> {
  const { threadsMax } = bounds
  const perOrganizationMax = Math.max(1, threadsMax - 1)
  // With a free thread, one organization at most has jobs that wait, so others have room.
  const room = { ...bounds, organizationWaitingMax: Math.ceil(bounds.waitingMax / 2) }
  const queue = new FairQueue<WaitingJob>()
  const running = new Map<string, number>()
  const threads = new Set<Thread>()
  const idle: { readonly thread: Thread }[] = []
  // Threads that exceeded their bounds and are still in native code.
  let ending = 0
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

  const isThreadFree = () =>
    idle.length > 0 || (threads.size < threadsMax && threads.size + ending < 2 * threadsMax)

  const startWaiting = () => {
    while (isThreadFree()) {
      const next = queue.take(organization => (running.get(organization) ?? 0) < perOrganizationMax)
      if (next === undefined) return
      const { organization } = next.party
      running.set(organization, (running.get(organization) ?? 0) + 1)
      next.item.start(idle.pop()?.thread ?? startThread())
    }
  }

  const finish = (organization: string) => {
    const left = (running.get(organization) ?? 1) - 1
    if (left === 0) running.delete(organization)
    else running.set(organization, left)
    startWaiting()
  }

  const runJob = async (organization: string, thread: Thread, job: Job): Promise<Outcome> => {
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
      finish(organization)
    }
  }

  const refused = () => {
    counts.refused += 1
    return unavailable('busy', 'The server has more work than it can do in time. Try again in a few seconds.')
  }

  const queued = (lane: string, job: Job, span: Span | undefined): Promise<Outcome> => {
    const party = currentParty(lane)
    if (!makeRoom(queue, party, room)) return Promise.reject(refused())
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    const timer = setTimeout(() => {
      if (queue.remove(party, entry)) reject(refused())
    }, bounds.waitMillisecondsMax)
    timer.unref()
    const own = job.answer === undefined ? job : { ...job, answer: forSameParty(job.answer) }
    const since = monotonicMs()
    const entry: WaitingJob = {
      start(thread) {
        clearTimeout(timer)
        const waitedMs = monotonicMs() - since
        recordWait('pool', waitedMs)
        span?.set({ 'octavo.waited_ms': Math.round(waitedMs) })
        runJob(party.organization, thread, own).then(resolve, reject)
      },
      refuse() {
        clearTimeout(timer)
        reject(refused())
      },
    }
    queue.add(party, entry)
    startWaiting()
    return promise
  }

  return {
    run(lane, job) {
      // The result type of the named task.
      return traced({ name: `task ${job.task}`, kind: 'internal' }, span =>
        queued(lane, job, span),
      ) as Promise<never>
    },
    warm() {
      if (threads.size === 0) rest(startThread())
    },
    counts: () => ({
      threads: threads.size,
      running: threads.size - idle.length,
      waiting: queue.size,
      ...counts,
    }),
    async end() {
      for (const entry of queue.drain()) entry.refuse()
      idle.length = 0
      const last = [...threads]
      threads.clear()
      await Promise.all(last.map(thread => thread.end()))
    },
  }
}
