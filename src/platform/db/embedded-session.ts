// One run of the embedded PostgreSQL: its thread, its queue of requests, and its end. Nothing can interrupt a
// statement in that thread, so this watches the timer that PostgreSQL sets for `statement_timeout`, and ends a
// statement that takes longer together with its thread.
import type { Worker } from 'node:worker_threads'
import { monotonicMs } from '../../base/clock.ts'
import { startThread } from '../../base/thread.ts'
import { firstMessage } from '../first-message.ts'
import { type Answer, MainEnd, type Request } from './embedded-channel.ts'
import type { DatabaseLocation, Settings } from './embedded-postgres.ts'
import type { Work } from './embedded-thread.ts'

const LOOK_MILLISECONDS = 100

// Kept for the next session: compiling PostgreSQL takes a third of a start.
let compiled: WebAssembly.Module | undefined

interface PendingRequest {
  readonly request: Request
  deliver(answer: Answer): void
  /** The session ended before it answered. */
  fail(why: Error): void
}

export class Session {
  /** Why it ended, other than by `end()`. */
  readonly lost: Promise<Error>
  readonly #lose: (why: Error) => void
  readonly #worker: Worker
  readonly #channel: MainEnd
  // the first one is under way
  readonly #queue: PendingRequest[] = []
  #over: Error | undefined
  #look: NodeJS.Timeout | undefined

  private constructor(worker: Worker, channel: MainEnd) {
    this.#worker = worker
    this.#channel = channel
    const { promise, resolve } = Promise.withResolvers<Error>()
    this.lost = promise
    this.#lose = resolve
    worker.on('error', error => this.#end(crashError(`the thread of the embedded database broke: ${error}`)))
    worker.on('exit', () => this.#exited())
  }

  /** @throws the reason that PostgreSQL could not start. */
  static async start(place: DatabaseLocation, settings: Settings): Promise<Session> {
    const channel = new MainEnd()
    const { shared } = channel
    const work: Work = { shared, place, settings, compiled }
    const worker = startThread(new URL('./embedded-thread.ts', import.meta.url), {
      name: 'embedded database',
      workerData: work,
      transferList: [shared.port],
      execArgv: [],
    })
    // `embedded-thread.ts` posts this once it is open.
    compiled = (await firstMessage(worker)) as WebAssembly.Module | undefined
    worker.unref()
    return new Session(worker, channel)
  }

  /**
   * Sends bytes of the protocol and delivers those of the answer; `lost` says that the session has ended with it.
   * `deliver` is called once, and not before this returns. A client that was cut off may have left a statement
   * behind: the next one waits for its end.
   */
  exchange(request: Uint8Array, deliver: (answer: Buffer, lost?: Error) => void): void {
    this.#ask({
      request,
      deliver: answer => {
        // The thread answers bytes with bytes, and `dump` with a Blob.
        const { buffer, byteOffset, byteLength } = answer as Uint8Array<ArrayBuffer>
        deliver(Buffer.from(buffer, byteOffset, byteLength), this.#over)
      },
      fail: why => deliver(Buffer.alloc(0), why),
    })
  }

  /** Everything the database holds, for `openMemory`. */
  dump(): Promise<Blob> {
    return new Promise((resolve, fail) =>
      this.#ask({ request: 'dump', deliver: answer => resolve(answer as Blob), fail }),
    )
  }

  /** Ends in order, after requests under way. */
  close(): Promise<void> {
    return new Promise((resolve, fail) => this.#ask({ request: 'close', deliver: () => resolve(), fail }))
  }

  /** Ends the thread, whatever it is doing. Its files are closed once this resolves. */
  async end(): Promise<void> {
    this.#end(crashError('the embedded database was ended'))
    await this.#worker.terminate()
  }

  #ask(asked: PendingRequest): void {
    const over = this.#over
    if (over !== undefined) return void setImmediate(() => asked.fail(over))
    this.#queue.push(asked)
    if (this.#queue.length === 1) this.#askFirst(asked)
  }

  #askFirst(asked: PendingRequest): void {
    this.#channel.ask(asked.request, answer => {
      clearTimeout(this.#look)
      this.#queue.shift()
      const { lastWords } = this.#channel
      if (lastWords !== undefined) this.#end(crashError(`the embedded database gave up: ${lastWords}`))
      const [next] = this.#queue
      if (next !== undefined) this.#askFirst(next)
      asked.deliver(answer)
    })
    if (this.#channel.isBusy) this.#watch({ count: Number.NaN, since: 0 })
  }

  #watch(seen: { readonly count: number; readonly since: number }): void {
    this.#look = setTimeout(() => {
      // the answer may have arrived while this thread was blocked
      if (!this.#channel.isBusy) return
      const { count, ms } = this.#channel.alarm
      const since = seen.count === count ? seen.since : monotonicMs()
      if (ms > 0 && monotonicMs() - since >= ms) this.#end(tookTooLong())
      else this.#watch({ count, since })
    }, LOOK_MILLISECONDS)
  }

  #exited(): void {
    const [asked] = this.#queue
    // A thread that has closed exits by itself, and its answer may arrive later than that.
    if (asked?.request === 'close') {
      this.#queue.shift()
      asked.deliver(new Uint8Array(0))
    }
    this.#end(crashError('the thread of the embedded database ended'))
  }

  #end(why: Error): void {
    if (this.#over !== undefined) return
    this.#over = why
    clearTimeout(this.#look)
    this.#channel.close()
    for (const { fail } of this.#queue.splice(0)) fail(why)
    this.#lose(why)
  }
}

// crash_shutdown: a server's error while it goes down after a PANIC
export const crashError = (why: string): Error => Object.assign(new Error(why), { code: '57P02' })

// query_canceled: a server's error after statement_timeout
const tookTooLong = (): Error =>
  Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
