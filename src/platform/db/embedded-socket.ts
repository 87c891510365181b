// The socket that the `pg` client uses instead of a network, with the embedded engine behind it. Pooling, prepared
// statements, types and errors are therefore the same code for a PostgreSQL server and for the embedded one, and
// cannot diverge.
import { Duplex } from 'node:stream'
import { pause } from '../../base/slices.ts'
import type { Engine } from './embedded.ts'
import type { Session } from './embedded-session.ts'

const QUERY = 0x51 // Q
const SYNC = 0x53 // S
const TERMINATE = 0x58 // X
// As much as a network delivers at once: `pg` parses everything that has arrived without a pause.
const PIECE_BYTES = 64 * 1024

type Callback = (error?: Error | null) => void

/** One client's end. The embedded PostgreSQL has one session, so at most one of these may be in use at a time. */
export class EmbeddedSocket extends Duplex {
  readonly #engine: Engine
  #session: Session | undefined
  // messages of the extended protocol wait for their Sync, so that a query is one exchange
  #waiting: Uint8Array[] = []

  constructor(engine: Engine) {
    super()
    this.#engine = engine
  }

  connect(): this {
    this.#engine.session().then(
      session => {
        this.#session = session
        this.emit('connect')
      },
      error => this.destroy(error),
    )
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
    for (const message of messages) {
      if (message[0] === TERMINATE) continue
      this.#waiting.push(message)
      if (message[0] === 0) this.#begin()
      else if (message[0] === SYNC || message[0] === QUERY) this.#run()
    }
    done()
  }

  // A startup packet. The session may have served another client before, so its state is reset.
  #begin(): void {
    for (const text of ['rollback', 'discard all']) this.#session?.exchange(simpleQuery(text), () => {})
    this.#run()
  }

  #run(): void {
    const messages = this.#waiting
    this.#waiting = []
    const [first = Buffer.alloc(0), ...rest] = messages
    const request = rest.length === 0 ? first : Buffer.concat(messages)
    this.#session?.exchange(request, (answer, lost) => void this.#give(answer, lost))
  }

  async #give(answer: Buffer, lost: Error | undefined): Promise<void> {
    for (let at = 0; at < answer.length && !this.destroyed; at += PIECE_BYTES) {
      this.push(answer.subarray(at, at + PIECE_BYTES))
      if (at + PIECE_BYTES < answer.length) await pause()
    }
    // after the error that gives the reason; no "ready for query" will follow
    if (lost !== undefined) this.destroy(lost)
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

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
export function simpleQuery(text: string): Buffer {
  const body = Buffer.from(`${text}\0`)
  const message = Buffer.alloc(5 + body.length)
  message[0] = QUERY
  message.writeInt32BE(4 + body.length, 1)
  body.copy(message, 5)
  return message
}
