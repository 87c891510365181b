// Work that starts in a request and continues after its answer, in this process only: an import holds credentials
// that must not be written anywhere, so it cannot wait in a queue that outlives the process. The caller of a task
// keeps a row for it, which shows after a kill that it was interrupted.
import { createFairSlots, type FairSlots } from '../fairness/fair-slots.ts'
import { currentParty, type Party } from '../fairness/party.ts'

export interface Tasks {
  /**
   * Runs `run` for the party of the caller when a slot is free: organizations take turns, and the people in each. Tasks
   * with the same `key` run one after the other, in order; where no organization was named, it stands for one. `signal`
   * is aborted when the server stops and is out of time. Errors of `run` go to `onError`, and are never lost.
   */
  start(key: string, run: (signal: AbortSignal) => Promise<void>): void
  /** The same for background work: it takes none of the other slots, and only one such task runs at once. */
  startAside(key: string, run: (signal: AbortSignal) => Promise<void>): void
  /** Resolves when nothing is running or waiting. */
  idle(): Promise<void>
  /** The server is stopping: work done in pieces begins no further one. */
  readonly isStopping: boolean
  /** Waits up to `graceMs` for running tasks, then aborts them and waits for them to end. */
  stop(graceMs: number): Promise<void>
}

type Run = (signal: AbortSignal) => Promise<void>
type Task = { readonly key: string; readonly party: Party; readonly slots: FairSlots; readonly run: Run }

// The caller that starts a task bounds how many may wait.
const ANY = Number.POSITIVE_INFINITY
const ANY_WAIT = { personWaitingMax: ANY, organizationWaitingMax: ANY, waitingMax: ANY }

/** At most `concurrency` tasks at once, all but one of them of one organization. */
export function createTasks(concurrency: number, onError: (error: unknown, key: string) => void): Tasks {
  const ofOrganizationMax = Math.max(1, concurrency - 1)
  const usual = createFairSlots({ ...ANY_WAIT, atOnceMax: concurrency, ofOrganizationMax })
  const aside = createFairSlots({ ...ANY_WAIT, atOnceMax: 1, ofOrganizationMax: 1 })
  /** By key, the first of which runs or waits for a slot. */
  const started = new Map<string, Task[]>()
  const abort = new AbortController()
  let idlers: (() => void)[] = []
  let isStopping = false

  const runFirst = async (tasks: Task[]) => {
    for (let [task] = tasks; task !== undefined; [task] = tasks) {
      const { key, party, slots, run } = task
      await slots.run(party, () => run(abort.signal)).catch(error => onError(error, key))
      tasks.shift()
      if (tasks.length === 0) started.delete(key)
    }
    if (started.size === 0) for (const resolve of idlers.splice(0)) resolve()
  }

  const start = (slots: FairSlots, key: string, run: Run) => {
    const task = { key, party: currentParty(key), slots, run }
    const others = started.get(key)
    if (others !== undefined) return void others.push(task)
    const tasks = [task]
    started.set(key, tasks)
    void runFirst(tasks)
  }

  const idle = () =>
    new Promise<void>(resolve => {
      if (started.size === 0) resolve()
      else idlers = [...idlers, resolve]
    })

  return {
    start: (key, run) => start(usual, key, run),
    startAside: (key, run) => start(aside, key, run),
    idle,
    get isStopping() {
      return isStopping
    },
    async stop(graceMs) {
      isStopping = true
      const timer = setTimeout(() => abort.abort(), graceMs)
      await idle()
      clearTimeout(timer)
    },
  }
}
