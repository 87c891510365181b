// The wire between the `pg` client and the PostgreSQL inside this process: to `pg` it is a socket, to PGlite it is a
// caller of its protocol function. So pooling, prepared statements, types and errors are the same code for a
// PostgreSQL server and for the embedded one, and cannot drift apart.
import { Duplex } from 'node:stream'
import type { Engine } from './embedded.ts'

const QUERY = 0x51 // Q
const SYNC = 0x53 // S
const TERMINATE = 0x58 // X

type Callback = (error?: Error | null) => void

/** One client's end. PGlite has one session, so at most one of these may be in use at a time. */
export class EmbeddedSocket extends Duplex {
  readonly #engine: Engine
  // messages of the extended protocol wait here for their Sync, so that a query is one call into PGlite
  #waiting: Uint8Array[] = []

  constructor(engine: Engine) {
    super()
    this.#engine = engine
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'))
    return this
  }

  override _write(chunk: Buffer, _encoding: string, done: Callback): void {
    this.#take([chunk], done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: Callback): void {
    this.#take(
      chunks.map(({ chunk }) => chunk),
      done,
    )
  }

  override _read(): void {}

  // `pg` waits for the other end to hang up too
  override _final(done: Callback): void {
    setImmediate(() => this.push(null))
    done()
  }

  #take(messages: Buffer[], done: Callback): void {
    try {
      for (const message of messages) {
        if (message[0] === TERMINATE) continue
        this.#waiting.push(message)
        if (message[0] === 0) this.#begin()
        else if (message[0] === SYNC || message[0] === QUERY) this.#run()
      }
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  // A startup packet. The session may have served another client before: nothing of it may be left over.
  #begin(): void {
    for (const text of ['rollback', 'discard all']) this.#exchange(simpleQuery(text), () => {})
    this.#run()
  }

  #run(): void {
    const messages = this.#waiting
    this.#waiting = []
    const request = messages.length === 1 ? messages[0]! : Buffer.concat(messages)
    const replies: Buffer[] = []
    // the bytes are a view of the WebAssembly memory and change with the next call
    this.#exchange(request, bytes => replies.push(Buffer.from(bytes)))
    // Never before the write has returned: `pg` does not expect an answer inside its own call. And by the event loop
    // rather than a microtask: a loop of queries must let requests, timers and signals through.
    setImmediate(() => {
      if (!this.destroyed) this.push(replies.length === 1 ? replies[0]! : Buffer.concat(replies))
      // after the error that says why; no "ready for query" will ever follow it
      if (this.#engine.broken !== undefined) this.destroy(crashed(this.#engine.broken))
    })
  }

  #exchange(request: Uint8Array, onRawData: (bytes: Uint8Array) => void): void {
    const { postgres, broken } = this.#engine
    if (broken !== undefined) throw crashed(broken)
    // runs to its end before it returns; only its last step, which does nothing on these file systems, is asynchronous
    postgres
      .execProtocolRawStream(request, { syncToFs: false, onRawData })
      .catch((error: Error) => this.destroy(error))
  }

  // what `pg` asks of a TCP socket
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}

// crash_shutdown: what a server says while it goes down after a PANIC
const crashed = (why: Error): Error => Object.assign(new Error(why.message), { code: '57P02' })

function simpleQuery(text: string): Buffer {
  const body = Buffer.from(`${text}\0`)
  const message = Buffer.alloc(5 + body.length)
  message[0] = QUERY
  message.writeInt32BE(4 + body.length, 1)
  body.copy(message, 5)
  return message
}
