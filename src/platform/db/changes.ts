// Tells the small caches of this process that something was written: see platform/fresh.ts.
import { Client } from 'pg'
import type { Log } from '../log.ts'

/**
 * `subscribe` is called back, synchronously, after every commit of this process and for every change of another one,
 * and means "whatever you keep may be old". `isTrue` is false while changes of other processes cannot be heard.
 */
export interface Changes {
  readonly isTrue: boolean
  subscribe(listener: () => void): void
  /** To be called after a write outside `transaction()`. */
  touch(): void
}

export interface ClosableChanges extends Changes {
  close(): Promise<void>
}

class Listeners {
  readonly #all: (() => void)[] = []
  subscribe(listener: () => void): void {
    this.#all.push(listener)
  }
  touch(): void {
    for (const listener of this.#all) listener()
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

/** For a database that other processes write to as well: triggers notify, one connection of its own listens. */
export class SharedChanges extends Listeners implements ClosableChanges {
  isTrue = false
  readonly #url: string
  readonly #log: Log
  #client: Client | undefined
  #retry: NodeJS.Timeout | undefined
  #asking: NodeJS.Timeout | undefined
  #closed = false

  constructor(url: string, log: Log) {
    super()
    this.#url = url
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
    client.on('notification', () => this.touch())
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
