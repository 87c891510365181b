// Runs queued jobs: at once after a commit of this process, otherwise by the clock.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../../base/canonical.ts'
import { monotonicMs } from '../../base/clock.ts'
import { Failure } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { traced } from '../../base/traces.ts'
import type { Database } from '../db/database.ts'
import { actFor } from '../fairness/party.ts'
import type { Log } from '../log.ts'
import { type JobCounts, type JobEnd, JobTally } from './job-counts.ts'
import { createJobs, type Jobs, type JobType } from './queue.ts'
import {
  type ClaimedJob,
  claimJobs,
  endLeases,
  extendLeases,
  findNextDue,
  giveUpJob,
  LEASE_SECONDS,
  removeGivenUp,
  removeJob,
  returnJob,
} from './rows.ts'
import { TurnsTaken } from './standings.ts'

export interface JobRun {
  readonly id: string
  /** Counts from 1. */
  readonly attempt: number
  /** Aborted when the process is out of time, or another one has taken the job. */
  readonly signal: AbortSignal
}

export interface WaitBounds {
  readonly atOnceMax: number
  /** Of one organization. */
  readonly ofOrganizationMax: number
}

/** Thrown by a job that cannot begin yet: it is run again after `seconds`, and this does not count as an attempt. */
export class NotYet extends Error {
  override readonly name = 'NotYet'
  readonly seconds: number

  constructor(seconds: number) {
    super(`to be run in ${seconds} seconds`)
    this.seconds = seconds
  }
}

export interface JobHandler {
  readonly name: string
  /** For jobs that mostly wait, such as for another server: they take no slot that work needs. */
  readonly waits?: WaitBounds
  run(data: Json, job: JobRun): Promise<void>
}

/** `run` may see a job more than once, because a process can die at any instant: it has to be idempotent. */
export const handle = <Data extends Json>(
  type: JobType<Data>,
  run: (data: Data, job: JobRun) => Promise<void>,
  bounds: Pick<JobHandler, 'waits'> = {},
): JobHandler => ({
  ...bounds,
  name: type.name,
  // `enqueue` takes the data of the type that it names.
  run: (data, job) => run(data as Data, job),
})

export interface Runner {
  readonly jobs: Jobs
  readonly counts: JobCounts
  /** Begins to run jobs. Before that, and in a process that never calls it, they are only enqueued. */
  start(handlers: readonly JobHandler[]): void
  /** Resolves when nothing is running and nothing is due. */
  idle(): Promise<void>
  /**
   * Takes nothing new, waits up to `graceMs` for running jobs, then aborts them; unfinished ones go back to the
   * queue.
   */
  stop(graceMs: number): Promise<void>
}

export const ATTEMPTS_MAX = 8
const PARALLEL_MAX = 4
// One organization leaves a slot to the others.
const OF_ORGANIZATION_MAX = PARALLEL_MAX - 1
const BACKOFF_SECONDS = 5
const HEED_MILLISECONDS = 2_000
const GIVEN_UP_DAYS_KEPT = 30
// Only this process writes to an embedded database, and it wakes itself; on a server, other nodes may enqueue.
const POLL_MILLISECONDS = { embedded: 300_000, postgres: 5_000 } as const

// Retrying cannot help these. Everything else is retried: a neighbour comes back, an upgrade fixes a bug.
const FINAL: ReadonlySet<string> = new Set(['invalid', 'forbidden', 'missing', 'precondition', 'too_large'])

type Running = { readonly job: ClaimedJob; readonly abort: AbortController }

/** Jobs that share slots. */
type Group = WaitBounds & { readonly names: readonly string[] }

/** Those that wait have slots of their own, by name; all others share theirs. */
function groupsOf(handlers: readonly JobHandler[]): Group[] {
  const workers = handlers.filter(({ waits }) => waits === undefined).map(({ name }) => name)
  return [
    { names: workers, atOnceMax: PARALLEL_MAX, ofOrganizationMax: OF_ORGANIZATION_MAX },
    ...handlers.flatMap(({ name, waits }) => (waits === undefined ? [] : [{ names: [name], ...waits }])),
  ]
}

/** Work that belongs to nobody has turns of its own. */
const partyOf = ({ name, for_organization, for_person }: ClaimedJob) => ({
  organization: for_organization ?? name,
  person: for_person ?? name,
})

function endOf(job: ClaimedJob, error: unknown, isAborted: boolean): JobEnd {
  if (error instanceof NotYet || isAborted) return 'postponed'
  const isFinal = (error instanceof Failure && FINAL.has(error.kind)) || job.attempts >= ATTEMPTS_MAX
  return isFinal ? 'given_up' : 'retried'
}

export function createRunner(database: Pick<Database, 'db' | 'kind'>, log: Log): Runner {
  const { db, kind } = database
  const node = newId()
  const running = new Map<string, Running>()
  const turns = new TurnsTaken()
  const tally = new JobTally()
  let handlers: ReadonlyMap<string, JobHandler> = new Map()
  let groups: readonly Group[] = []
  let isStopped = false
  let looking: Promise<void> | undefined
  let isAskedAgain = false
  let timer: NodeJS.Timeout | undefined
  let heartbeat: NodeJS.Timeout | undefined
  const waiters: (() => void)[] = []

  function wake(): void {
    if (isStopped || handlers.size === 0) return
    isAskedAgain = looking !== undefined
    looking ??= look().then(pauseMs => {
      looking = undefined
      if (isAskedAgain) return wake()
      if (!isStopped) timer = setTimeout(wake, pauseMs).unref()
      tellWaiters()
    })
  }

  /** Starts due jobs while there is room, and returns in how many milliseconds to look again. */
  async function look(): Promise<number> {
    clearTimeout(timer)
    try {
      let nextMs = Number.POSITIVE_INFINITY
      for (const group of groups) {
        await claim(group)
        // Each job looks again when it ends, so no timer is needed while all places are taken.
        if (placesOf(group) === 0) continue
        nextMs = Math.min(nextMs, (await findNextDue(db, group.names, fullOf(group))) ?? nextMs)
      }
      return Math.max(1, Math.min(nextMs, POLL_MILLISECONDS[kind]))
    } catch (error) {
      log.warn({ err: error }, 'the queue could not be read')
      return POLL_MILLISECONDS.postgres
    }
  }

  const runningOf = ({ names }: Group): Running[] =>
    [...running.values()].filter(({ job }) => names.includes(job.name))

  const placesOf = (group: Group): number => Math.max(0, group.atOnceMax - runningOf(group).length)

  /** The organizations that may run no more of this kind. */
  function fullOf(group: Group): string[] {
    const { organizations } = turns.standings(runningOf(group).map(({ job }) => job))
    return organizations
      .filter(standing => standing.running >= group.ofOrganizationMax)
      .map(({ name }) => name)
  }

  async function claim(group: Group): Promise<void> {
    const limit = placesOf(group)
    if (limit === 0 || group.names.length === 0) return
    const standings = turns.standings(runningOf(group).map(({ job }) => job))
    for (const job of await claimJobs(db, node, { ...group, limit }, standings)) void run(job)
  }

  async function run(job: ClaimedJob): Promise<void> {
    const abort = new AbortController()
    running.set(job.id, { job, abort })
    turns.add(job)
    const since = monotonicMs()
    const given = { id: job.id, attempt: job.attempts, signal: abort.signal }
    try {
      const span = { name: `job ${job.name}`, kind: 'internal', isRoot: true } as const
      await traced({ ...span, attributes: { 'octavo.attempt': job.attempts } }, () =>
        actFor(partyOf(job), async () => handlers.get(job.name)?.run(job.data, given)),
      )
      await removeJob(db, node, job.id)
      tally.add(job.name, 'done', since)
    } catch (error) {
      tally.add(job.name, endOf(job, error, abort.signal.aborted), since)
      // if this write fails too, the lease expires and the job is taken again
      await settle(job, error, abort.signal.aborted).catch(cause =>
        log.error({ err: cause, job: job.name, jobId: job.id }, 'the end of a job could not be recorded'),
      )
    }
    running.delete(job.id)
    wake()
    tellWaiters()
  }

  async function settle(job: ClaimedJob, error: unknown, isAborted: boolean): Promise<void> {
    if (error instanceof NotYet)
      return returnJob(db, node, { id: job.id, attempts: job.attempts - 1 }, error.seconds, null)
    // This process ended it, which does not count as an attempt.
    if (isAborted) return returnJob(db, node, { id: job.id, attempts: job.attempts - 1 }, 0, null)
    const message = error instanceof Error ? error.message : String(error)
    const facts = { err: error, job: job.name, jobId: job.id, attempt: job.attempts }
    if (endOf(job, error, isAborted) === 'given_up') {
      log.error(facts, 'gave up on a job')
      return giveUpJob(db, node, job.id, message)
    }
    log.warn(facts, 'a job failed and will be retried')
    // 5 s, 15 s, 45 s … an hour before the eighth attempt
    return returnJob(db, node, job, BACKOFF_SECONDS * 3 ** (job.attempts - 1), message)
  }

  async function beat(): Promise<void> {
    if (running.size === 0) return
    try {
      const held = await extendLeases(db, node, [...running.keys()])
      for (const [id, { abort }] of running) if (!held.has(id)) abort.abort()
    } catch (error) {
      log.warn({ err: error }, 'the leases of running jobs could not be extended')
    }
  }

  async function tidy(): Promise<void> {
    // A lease on an embedded database belongs to an earlier process on this folder, which has ended.
    if (kind === 'embedded') await endLeases(db)
    await removeGivenUp(db, GIVEN_UP_DAYS_KEPT)
  }

  function tellWaiters(): void {
    if (running.size > 0 || looking !== undefined) return
    for (const resume of waiters.splice(0)) resume()
  }

  const quiet = () =>
    new Promise<void>(resolve => {
      waiters.push(resolve)
      tellWaiters()
    })

  return {
    jobs: createJobs(wake),
    counts: tally.counts(db, () => running.size),
    start(list) {
      handlers = new Map(list.map(handler => [handler.name, handler]))
      groups = groupsOf(list)
      heartbeat = setInterval(() => void beat(), (LEASE_SECONDS * 1000) / 3).unref()
      looking = tidy()
        .catch(error => log.warn({ err: error }, 'the queue could not be cleaned up'))
        .then(() => {
          looking = undefined
          wake()
          tellWaiters()
        })
    },
    idle: quiet,
    async stop(graceMs) {
      isStopped = true
      clearTimeout(timer)
      const abortAll = () => {
        for (const { abort } of running.values()) abort.abort()
      }
      const grace = setTimeout(abortAll, graceMs)
      // A job that ignores its signal is left running: its lease expires.
      await Promise.race([quiet(), sleep(graceMs + HEED_MILLISECONDS, undefined, { ref: false })])
      clearTimeout(grace)
      clearInterval(heartbeat)
    },
  }
}
