// Scheduled housekeeping in this process. Nothing is recorded, so an entry has to be safe to run in several processes
// at once, and to be skipped while no process runs.
import type { Log } from '../log.ts'

export interface ScheduledJob {
  readonly name: string
  readonly everySeconds: number
  readonly run: () => Promise<unknown>
}

export interface Schedule {
  /** Runs every idle entry, as if it were due. For tests and for a last run before the end. */
  runAll(): Promise<void>
  /** Starts nothing new and waits for running entries. */
  stop(): Promise<void>
}

// The first run comes soon after the start, but not while everybody waits for the first answers.
const FIRST_RUN_SECONDS_MAX = 15

/** An entry never overlaps itself, and its next run is timed from the end of the last one. */
export function startClock(entries: readonly ScheduledJob[], log: Log): Schedule {
  const timers = new Map<string, NodeJS.Timeout>()
  const running = new Map<string, Promise<void>>()
  let isStopped = false

  const wait = (entry: ScheduledJob, seconds: number) => {
    if (isStopped) return
    timers.set(entry.name, setTimeout(() => void run(entry), seconds * 1000).unref())
  }

  const run = (entry: ScheduledJob): Promise<void> => {
    const already = running.get(entry.name)
    if (already !== undefined) return already
    clearTimeout(timers.get(entry.name))
    const done = (async () => entry.run())()
      .catch(error => log.error({ err: error, job: entry.name }, 'a scheduled job failed and will run again'))
      .then(() => {
        running.delete(entry.name)
        wait(entry, entry.everySeconds)
      })
    running.set(entry.name, done)
    return done
  }

  for (const entry of entries) wait(entry, Math.min(entry.everySeconds, FIRST_RUN_SECONDS_MAX))
  return {
    async runAll() {
      await Promise.all(entries.map(run))
    },
    async stop() {
      isStopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running.values())
    },
  }
}
