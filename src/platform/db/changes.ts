// Tells the small caches of this process that something was written: see platform/fresh.ts.
import { Client } from 'pg'
import type { Log } from '../log.ts'
import type { Writes } from './writes.ts'

/**
 * `subscribe` is called back, synchronously, after every commit of this process and for every change of another one,
 * and means "what you keep of these tables may be old". `isTrue` is false while changes of other processes cannot be
 * heard.
 */
export interface Changes {
  readonly isTrue: boolean
  subscribe(listener: (writes: Writes) => void): void
  /** To be called after a write outside `transaction()`. */
  touch(writes?: Writes): void
}

export interface ClosableChanges extends Changes {
  close(): Promise<void>
}

class Listeners {
  readonly #all: ((writes: Writes) => void)[] = []
  subscribe(listener: (writes: Writes) => void): void {
    this.#all.push(listener)
  }
  touch(writes?: Writes): void {
    for (const listener of this.#all) listener(writes)
  }
}

/** For a database that nobody else can write to. */
export class LocalChanges extends Listeners implements ClosableChanges {
  readonly isTrue = true
  async close(): Promise<void> {}
}

const CHANNEL = 'octavo_changed'
const RECONNECT_MILLISECONDS = 1000
// A network that goes silent without closing the line is noticed by asking: after at most 20 seconds.
const ASK_MILLISECONDS = 15_000
const ANSWER_MILLISECONDS_MAX = 5_000

/**
 * For a database that other processes write to as well: triggers notify, one connection of its own listens. What this
 * process wrote is told when it commits, and not once more.
 */
export class SharedChanges extends Listeners implements ClosableChanges {
  isTrue = false
  readonly #url: string
  readonly #process: string
  readonly #log: Log
  #client: Client | undefined
  #retry: NodeJS.Timeout | undefined
  #asking: NodeJS.Timeout | undefined
  #closed = false

  /** `process` is what the connections of this process say that they are, as `octavo.process`. */
  constructor(url: string, process: string, log: Log) {
    super()
    this.#url = url
    this.#process = process
    this.#log = log
  }

  async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.#url,
      application_name: 'octavo changes',
      connectionTimeoutMillis: ANSWER_MILLISECONDS_MAX,
      query_timeout: ANSWER_MILLISECONDS_MAX,
    })
    this.#client = client
    client.on('error', error => this.#lost(client, error))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ payload = '' }) => this.#hear(payload))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      if (this.#closed) return
      this.#asking = setInterval(() => {
        client.query('select 1').catch(error => this.#lost(client, error))
      }, ASK_MILLISECONDS).unref()
      // what happened before the first notification was not heard
      this.isTrue = true
      this.touch()
    } catch (error) {
      this.#lost(client, error)
    }
  }

  /** `<table> <process>`, from the trigger `notify_changed`. */
  #hear(payload: string): void {
    const [table, process] = payload.split(' ')
    if (process !== this.#process) this.touch(new Set([`update ${table}`]))
  }

  #lost(client: Client, error?: unknown): void {
    if (this.#closed || this.#client !== client) return
    this.#client = undefined
    clearInterval(this.#asking)
    this.isTrue = false
    this.touch()
    this.#log.warn(
      { err: error },
      'changes of other processes cannot be heard: caches are off until reconnected',
    )
    client.end().catch(() => {})
    this.#retry = setTimeout(() => void this.connect(), RECONNECT_MILLISECONDS)
    this.#retry.unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.isTrue = false
    clearTimeout(this.#retry)
    clearInterval(this.#asking)
    await this.#client?.end().catch(() => {})
  }
}
