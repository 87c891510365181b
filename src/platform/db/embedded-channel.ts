// The channel between the main thread and the thread of the embedded database. One request is under way at a time.
// The bytes of requests and answers are copied through shared memory; a message is posted only if they do not fit, or
// to wake the main thread for an answer that it has stopped waiting for.
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'

const SHARED_BYTES = 256 * 1024
const LAST_WORDS_BYTES_MAX = 1024
// How long the main thread waits for an answer before it continues with other work. Most reads take less, and waking
// a thread by a message costs about as much as a whole point read.
const WAIT_MILLISECONDS = 0.25
// A longer request writes or requests many rows, and takes longer than the wait.
const AWAITED_BYTES_MAX = 1024

// places in `cells`
const ASKED = 0 // counts requests; the thread sleeps on it
const STATE = 1
const REQUEST_BYTES = 2 // or POSTED
const ANSWER_BYTES = 3 // or POSTED
const ALARMS = 4 // counts changes of ALARM_MS
const ALARM_MS = 5
const GIVEN_UP = 6 // 0, or the bytes of the last words and 1
const CELLS = 7

const POSTED = -1

// The first byte of a message of the simple protocol.
const QUERY = 0x51 // Q

// values of STATE
const WAITED_FOR = 1 // the main thread waits for the answer
const LEFT = 2 // the main thread goes on, and a message has to wake it
const ANSWERED = 3

/** The memory and the port that connect the two threads. */
export interface SharedChannel {
  readonly cells: Int32Array
  readonly bytes: Uint8Array
  readonly lastWords: Uint8Array
  readonly port: MessagePort
}

/** Bytes of PostgreSQL's protocol, or one of two commands. */
export type Request = Uint8Array | 'dump' | 'close'
/** Bytes of the protocol, or the result of a command. */
export type Answer = Uint8Array | Blob

/** The main thread's end. */
export class MainEnd {
  readonly shared: SharedChannel
  readonly #port: MessagePort
  readonly #cells: Int32Array
  readonly #bytes: Uint8Array
  #deliver: ((answer: Answer) => void) | undefined

  constructor() {
    const { port1, port2 } = new MessageChannel()
    const cells = new Int32Array(new SharedArrayBuffer(4 * CELLS))
    const bytes = new Uint8Array(new SharedArrayBuffer(SHARED_BYTES))
    const lastWords = new Uint8Array(new SharedArrayBuffer(LAST_WORDS_BYTES_MAX))
    this.shared = { cells, bytes, lastWords, port: port2 }
    this.#port = port1
    this.#cells = cells
    this.#bytes = bytes
    port1.on('message', (posted: Answer | undefined) => this.#give(posted ?? this.#sharedAnswer()))
    port1.unref()
  }

  /** `deliver` is called once, from the event loop and never before this returns. */
  ask(request: Request, deliver: (answer: Answer) => void): void {
    const cells = this.#cells
    this.#deliver = deliver
    this.#port.ref()
    if (typeof request !== 'string' && request.length <= SHARED_BYTES) {
      this.#bytes.set(request)
      cells[REQUEST_BYTES] = request.length
    } else {
      this.#port.postMessage(request)
      cells[REQUEST_BYTES] = POSTED
    }
    const isAwaited = isQuick(request)
    Atomics.store(cells, STATE, isAwaited ? WAITED_FOR : LEFT)
    Atomics.add(cells, ASKED, 1)
    Atomics.notify(cells, ASKED)
    if (!isAwaited) return
    Atomics.wait(cells, STATE, WAITED_FOR, WAIT_MILLISECONDS)
    const isLeft = Atomics.compareExchange(cells, STATE, WAITED_FOR, LEFT) === WAITED_FOR
    if (!isLeft && cells[ANSWER_BYTES] !== POSTED) setImmediate(() => this.#give(this.#sharedAnswer()))
  }

  /** Whether a request has no answer yet. */
  get isBusy(): boolean {
    return this.#deliver !== undefined && Atomics.load(this.#cells, STATE) !== ANSWERED
  }

  /** When PostgreSQL wants to be interrupted: in `ms` (0: never), counted from the `count`th time it was set. */
  get alarm(): { readonly count: number; readonly ms: number } {
    const cells = this.#cells
    return { count: Atomics.load(cells, ALARMS), ms: Atomics.load(cells, ALARM_MS) }
  }

  /** Why PostgreSQL has given up (a PANIC), if it has: there will be no more answers. */
  get lastWords(): string | undefined {
    const length = Atomics.load(this.#cells, GIVEN_UP) - 1
    return length < 0 ? undefined : Buffer.from(this.shared.lastWords.subarray(0, length)).toString()
  }

  close(): void {
    this.#deliver = undefined
    this.#port.close()
  }

  #sharedAnswer(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#cells[ANSWER_BYTES]))
  }

  #give(answer: Answer): void {
    const deliver = this.#deliver
    this.#deliver = undefined
    this.#port.unref()
    deliver?.(answer)
  }
}

/** Most requests of the simple protocol are commits, which wait for the disk. */
const isQuick = (request: Request): boolean =>
  typeof request !== 'string' && request[0] !== QUERY && request.length <= AWAITED_BYTES_MAX

/** The database thread's end. */
export class ThreadEnd {
  readonly #shared: SharedChannel
  #done = 0
  #length = 0
  /** Parts that did not fit into the shared memory. */
  #spilt: Uint8Array[] = []

  constructor(shared: SharedChannel) {
    this.#shared = shared
  }

  /** The next request; sleeps until there is one. */
  take(): Request {
    const { cells, bytes, port } = this.#shared
    while (Atomics.load(cells, ASKED) === this.#done) Atomics.wait(cells, ASKED, this.#done)
    this.#done += 1
    const length = Atomics.load(cells, REQUEST_BYTES)
    // The other end posts requests only.
    if (length === POSTED) return receiveMessageOnPort(port)?.message as Request
    return bytes.slice(0, length)
  }

  /** Appends a part of the answer; its bytes are copied. */
  append(part: Uint8Array): void {
    if (this.#spilt.length === 0 && this.#length + part.length <= SHARED_BYTES) {
      this.#shared.bytes.set(part, this.#length)
    } else this.#spilt.push(part.slice())
    this.#length += part.length
  }

  /** Completes the answer: the appended parts, or the result of a command. */
  answer(outcome?: Answer): void {
    const { cells, port } = this.#shared
    const posted = outcome === undefined ? this.#spiltAnswer() : outcome
    cells[ANSWER_BYTES] = posted === undefined ? this.#length : POSTED
    this.#length = 0
    const isWaitedFor = Atomics.exchange(cells, STATE, ANSWERED) === WAITED_FOR
    if (isWaitedFor) Atomics.notify(cells, STATE)
    if (posted !== undefined || !isWaitedFor) port.postMessage(posted)
  }

  /** The next answer is the last one. */
  giveUp(why: string): void {
    const { cells, lastWords } = this.#shared
    const { written } = new TextEncoder().encodeInto(why, lastWords)
    Atomics.store(cells, GIVEN_UP, written + 1)
  }

  /** PostgreSQL wants to be interrupted `ms` from now; 0 cancels that. */
  setAlarm(ms: number): void {
    Atomics.store(this.#shared.cells, ALARM_MS, ms)
    Atomics.add(this.#shared.cells, ALARMS, 1)
  }

  #spiltAnswer(): Uint8Array | undefined {
    if (this.#spilt.length === 0) return undefined
    const shared = this.#length - this.#spilt.reduce((sum, { length }) => sum + length, 0)
    const whole = Buffer.concat([this.#shared.bytes.slice(0, shared), ...this.#spilt])
    this.#spilt = []
    return whole
  }
}
