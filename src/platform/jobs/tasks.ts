// Work that starts in a request and continues after its answer, in this process only: an import holds credentials
// that must not be written anywhere, so it cannot wait in a queue that outlives the process. The caller of a task
// keeps a row for it, which shows after a kill that it was interrupted.

export interface Tasks {
  /**
   * Runs `run` when a slot is free; tasks with the same `key` run one after the other, in order. `signal` is aborted
   * when the server stops and is out of time. Errors of `run` go to `onError`, and are never lost.
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

type WaitingTask = { key: string; isAside: boolean; run: (signal: AbortSignal) => Promise<void> }

/** At most `concurrency` tasks at once. */
export function createTasks(concurrency: number, onError: (error: unknown, key: string) => void): Tasks {
  const waiting: WaitingTask[] = []
  /** By key: whether it is background work. */
  const running = new Map<string, boolean>()
  const abort = new AbortController()
  let idlers: (() => void)[] = []
  let isStopping = false

  const hasPlace = (isAside: boolean) => {
    const taken = [...running.values()].filter(aside => aside === isAside).length
    return taken < (isAside ? 1 : concurrency)
  }
  const next = () => {
    for (;;) {
      const index = waiting.findIndex(({ key, isAside }) => !running.has(key) && hasPlace(isAside))
      const [task] = index < 0 ? [] : waiting.splice(index, 1)
      if (task === undefined) break
      running.set(task.key, task.isAside)
      // inside a promise, so that an error before the first await is not lost either
      Promise.resolve()
        .then(() => task.run(abort.signal))
        .catch(error => onError(error, task.key))
        .finally(() => {
          running.delete(task.key)
          next()
        })
    }
    if (running.size === 0 && waiting.length === 0) {
      for (const resolve of idlers.splice(0)) resolve()
    }
  }

  const idle = () =>
    new Promise<void>(resolve => {
      if (running.size === 0 && waiting.length === 0) resolve()
      else idlers = [...idlers, resolve]
    })

  return {
    start(key, run) {
      waiting.push({ key, isAside: false, run })
      next()
    },
    startAside(key, run) {
      waiting.push({ key, isAside: true, run })
      next()
    },
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
