// One pool thread, from outside. It has bounds on time and memory: a job that exceeds one is ended with its thread.
// Native code is not interrupted; a thread in the middle of it ends when it returns.
//
// V8's heap limit for a thread cannot serve as the bound: if one large allocation reaches it, V8 ends the whole
// process (https://github.com/nodejs/node/issues/47224). So memory is watched from outside, and V8's limit is far
// higher.
import type { Worker } from 'node:worker_threads'
import { startThread } from '../../base/thread.ts'
import type { FromWorker, ToWorker } from './messages.ts'

export type Job = {
  readonly task: string
  /** Copied into the thread. */
  readonly input: unknown
  /** Buffers of the input that are transferred instead of copied. */
  readonly transfer?: readonly ArrayBuffer[]
  /** Processor time: a job costs no more on a busy machine. Waiting for answers does not count. */
  readonly millisecondsMax: number
  /** Absent for a task that asks nothing. */
  readonly answer?: (question: unknown) => Promise<unknown>
}

/** `beyond`: the job exceeded a bound and has no result. */
export type Outcome<Value = unknown> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'beyond'; readonly bound: 'time' | 'memory' }

const LOOK_MS_MIN = 20
const LOOK_MS_MAX = 1_000
const MEMORY_LOOK_MS = 50
// Between the bound and V8's limit: several times what a thread allocates between two checks. With a limit of 2 GB
// and more, V8 collects less often, and garbage would count against pages that need little.
const HEADROOM_MEGABYTES = 1_024
// In clock time: beyond this a job counts as stuck, however little processor time it used. A busy machine gives it a
// fraction of a processor.
const STUCK_FACTOR = 10

export class Thread {
  readonly #worker: Worker
  readonly #ready: Promise<void>
  readonly #heapBytesMax: number
  /** Resolves when the thread has ended, for whatever reason. */
  readonly ended: Promise<void>
  #isEnded = false
  /** The thread's processor time when it was last free. */
  #workedMs = 0
  #onMessage: (message: FromWorker) => void = () => {}
  #die: (error: Error) => void = () => {}

  /** `tasks`: a module that exports `tasks`, by name. */
  constructor(tasks: URL, megabytesMax: number) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#ready = promise
    this.#heapBytesMax = megabytesMax * 1024 * 1024
    promise.catch(() => {})
    this.#worker = startThread(new URL('./worker.ts', import.meta.url), {
      workerData: { tasks: tasks.href },
      resourceLimits: { maxOldGenerationSizeMb: megabytesMax + HEADROOM_MEGABYTES },
    })
    this.#worker.on('message', (message: FromWorker) => {
      if ('processorMs' in message) this.#workedMs = message.processorMs
      if (message.kind === 'ready') resolve()
      else this.#onMessage(message)
    })
    const end = (error: Error) => {
      this.#isEnded = true
      reject(error)
      this.#die(error)
    }
    this.#worker.on('error', end)
    this.#worker.on('exit', () => end(new Error('the thread ended')))
    this.ended = new Promise(resolve => this.#worker.on('exit', () => resolve()))
    this.#worker.unref()
  }

  /** Whether the thread can no longer be used. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Runs one job at a time. After a job that exceeded its bounds, the thread cannot be used again. */
  async run(job: Job): Promise<Outcome> {
    this.#worker.ref()
    try {
      await this.#ready
      return await this.#converse(job)
    } catch (error) {
      if (isOutOfMemory(error)) return { kind: 'beyond', bound: 'memory' }
      throw error
    } finally {
      this.#worker.unref()
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  /** The thread's processor time; answered between two steps of JavaScript, and NaN after its end. */
  async #processorMs(): Promise<number> {
    try {
      const { user, system } = await this.#worker.cpuUsage()
      return (user + system) / 1_000
    } catch {
      return Number.NaN
    }
  }

  /** The thread's heap, including uncollected garbage; answered like `#processorMs`. */
  async #heapBytes(): Promise<number> {
    try {
      return (await this.#worker.getHeapStatistics()).used_heap_size
    } catch {
      return Number.NaN
    }
  }

  #converse({ task, input, transfer = [], millisecondsMax, answer = refuse }: Job): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    const before = this.#workedMs
    const lookMs = Math.min(LOOK_MS_MAX, Math.max(LOOK_MS_MIN, millisecondsMax / 10))
    let isWorking = true
    let workingMs = 0
    let isOver = false
    const stop = (bound: 'time' | 'memory') => {
      // a check may be answered after the job is done
      if (isOver) return
      this.#isEnded = true
      resolve({ kind: 'beyond', bound })
    }
    const watch = setInterval(async () => {
      if (!isWorking) return
      workingMs += lookMs
      if (workingMs > millisecondsMax * STUCK_FACTOR) stop('time')
      else if (workingMs >= millisecondsMax && (await this.#processorMs()) - before > millisecondsMax)
        stop('time')
    }, lookMs)
    let isAsked = false
    const watchMemory = setInterval(async () => {
      if (!isWorking || isAsked) return
      isAsked = true
      if ((await this.#heapBytes()) > this.#heapBytesMax) stop('memory')
      isAsked = false
    }, MEMORY_LOOK_MS)
    const say = (message: ToWorker) => this.#worker.postMessage(message)
    let refusal: unknown
    this.#die = reject
    this.#onMessage = message => {
      switch (message.kind) {
        case 'question':
          isWorking = false
          answer(message.question)
            .then(
              found => say({ kind: 'answer', answer: found }),
              error => {
                refusal = error
                say({ kind: 'refusal' })
              },
            )
            .then(() => {
              isWorking = true
            }, reject)
          return
        case 'done':
          return resolve({ kind: 'done', value: message.value })
        case 'failed':
          return reject(refusal ?? new Error(`${task} failed in its thread: ${message.message}`))
      }
    }
    this.#worker.postMessage({ kind: 'task', task, input } satisfies ToWorker, transfer)
    return promise.finally(() => {
      isOver = true
      clearInterval(watch)
      clearInterval(watchMemory)
      this.#onMessage = () => {}
      this.#die = () => {}
    })
  }
}

const refuse = () => Promise.reject(new Error('this task asks nothing'))

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
