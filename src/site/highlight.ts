// Colours for code, made beside the server's own thread: a page waits a bounded time and is then shown plain, and
// code that holds a grammar for too long costs its thread, never the server.
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { sha256 } from '../base/canonical.ts'
import type { CodeBlock, Highlight, HighlightedCode } from '../engines/markdown/html/highlight.ts'

export interface Highlighter {
  readonly highlight: Highlight
  /** Ends the thread. Later calls show code plain. */
  close(): Promise<void>
}

export interface HighlighterLimits {
  /** How long one page waits for all of its code. What comes later is kept for the next reader. */
  readonly pageMs: number
  /** How long one block may hold the thread before it is ended; covers loading a grammar, some 300 ms cold. */
  readonly blockMs: number
  /** Longer code stays plain; characters. */
  readonly codeLengthMax: number
  readonly queueMax: number
  readonly cacheBytesMax: number
}

export const DEFAULT_LIMITS: HighlighterLimits = {
  pageMs: 700,
  blockMs: 3_000,
  codeLengthMax: 100_000,
  queueMax: 500,
  cacheBytesMax: 32 * 1024 * 1024,
}

interface Job {
  readonly key: string
  readonly block: CodeBlock
  readonly waiting: ((result: HighlightedCode | undefined) => void)[]
}

/** An entry is the answer, or `{}` for "plain": an unknown language, or code that ran into its deadline. */
interface Entry {
  readonly code?: HighlightedCode
}

/** Rough cost of a run beside its text: two array slots, a string header. */
const RUN_BYTES = 60

export function createHighlighter(limits: HighlighterLimits = DEFAULT_LIMITS): Highlighter {
  const cache = new LRUCache<string, Entry>({ maxSize: limits.cacheBytesMax, sizeCalculation: sizeOf })
  const jobs = new Map<string, Job>()
  let worker: Worker | undefined
  let running: { job: Job; timer: NodeJS.Timeout } | undefined
  let isClosed = false

  const finish = (job: Job, code: HighlightedCode | undefined) => {
    jobs.delete(job.key)
    cache.set(job.key, code === undefined ? {} : { code })
    for (const tell of job.waiting) tell(code)
  }

  /** The thread is gone or stuck: the block that held it stays plain, the others go on in a new thread. */
  const abandon = (from: Worker) => {
    if (worker !== from) return
    worker = undefined
    void from.terminate()
    const stuck = running?.job
    if (running !== undefined) clearTimeout(running.timer)
    running = undefined
    if (stuck !== undefined) finish(stuck, undefined)
    startNext()
  }

  const startWorker = (): Worker => {
    const started = new Worker(new URL('./highlight-worker.ts', import.meta.url))
    started.unref()
    started.on('message', (code: HighlightedCode | undefined) => {
      if (worker !== started || running === undefined) return
      clearTimeout(running.timer)
      const { job } = running
      running = undefined
      finish(job, code)
      startNext()
    })
    started.on('error', () => abandon(started))
    started.on('exit', () => abandon(started))
    return started
  }

  const startNext = () => {
    const [job] = jobs.values()
    if (running !== undefined || job === undefined || isClosed) return
    worker ??= startWorker()
    const holder = worker
    running = { job, timer: setTimeout(() => abandon(holder), limits.blockMs) }
    running.timer.unref()
    holder.postMessage(job.block)
  }

  const highlightOne = (
    block: CodeBlock,
  ): Promise<HighlightedCode | undefined> | HighlightedCode | undefined => {
    if (isClosed || block.language === '' || block.code.length > limits.codeLengthMax) return undefined
    const key = sha256(`${block.language}\n${block.code}`)
    const known = cache.get(key)
    if (known !== undefined) return known.code
    let job = jobs.get(key)
    if (job === undefined) {
      if (jobs.size >= limits.queueMax) return undefined
      job = { key, block, waiting: [] }
      jobs.set(key, job)
      startNext()
    }
    const { waiting } = job
    return new Promise(resolve => waiting.push(resolve))
  }

  return {
    async highlight(blocks) {
      const deadline = timeout(limits.pageMs)
      const codes: (HighlightedCode | undefined)[] = []
      let isComplete = true
      for (const result of blocks.map(highlightOne)) {
        const settled = result instanceof Promise ? await Promise.race([result, deadline.passed]) : result
        if (settled === LATE) isComplete = false
        codes.push(settled === LATE ? undefined : settled)
      }
      deadline.cancel()
      return { codes, isComplete }
    },
    async close() {
      isClosed = true
      for (const job of jobs.values()) for (const tell of job.waiting) tell(undefined)
      jobs.clear()
      if (running !== undefined) clearTimeout(running.timer)
      running = undefined
      const last = worker
      worker = undefined
      await last?.terminate()
    },
  }
}

const LATE = Symbol('the page waited long enough')

function timeout(ms: number): { passed: Promise<typeof LATE>; cancel(): void } {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<typeof LATE>(resolve => {
    timer = setTimeout(() => resolve(LATE), ms)
  })
  return { passed, cancel: () => clearTimeout(timer) }
}

const sizeOf = (entry: Entry): number =>
  RUN_BYTES +
  (entry.code ?? []).reduce(
    (sum, line) => line.reduce((bytes, [text]) => bytes + RUN_BYTES + text.length * 2, sum + RUN_BYTES),
    0,
  )
