// Tells the small caches of this process that something was written: see platform/cache/invalidating.ts.
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
  /** Resolves when everything is heard that was committed before the call, by whatever process. */
  catchUp(): Promise<void>
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
  async catchUp(): Promise<void> {}
  async close(): Promise<void> {}
}

const CHANNEL = 'octavo_changed'
const APPLICATION = 'octavo changes'
const OTHERS = `select from pg_stat_activity
  where datname = current_database() and application_name = $1 and pid <> pg_backend_pid()`
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
  /** No other process was ever heard of: one that begins says so, and is given the time of its start to be heard. */
  #isAlone = true
  #retry: NodeJS.Timeout | undefined
  #asking: NodeJS.Timeout | undefined
  #underWay: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
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
      application_name: APPLICATION,
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
      await client.query('select pg_notify($1, $2)', [CHANNEL, `hello ${this.#process}`])
      const { rowCount } = await client.query(OTHERS, [APPLICATION])
      this.#isAlone &&= rowCount === 0
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

  /**
   * A session is told of a commit before the one that commits is answered, and sends what it was told before it answers
   * itself. Those who call while it is asked share the next question. A process that is alone has nobody to hear of.
   */
  catchUp(): Promise<void> {
    if (this.#isAlone) return Promise.resolve()
    this.#next ??= this.#underWay.then(() => {
      this.#next = undefined
      this.#underWay = this.#ask()
      return this.#underWay
    })
    return this.#next
  }

  /** Never fails: a line that does not answer is lost, and then nothing is kept. */
  async #ask(): Promise<void> {
    const client = this.#client
    if (client === undefined || !this.isTrue) return
    try {
      await client.query('select 1')
    } catch (error) {
      this.#lost(client, error)
    }
  }

  /** `<table> <process>`, from the trigger `notify_changed`; for a table a process that has begun says `hello`. */
  #hear(payload: string): void {
    const [table, process] = payload.split(' ')
    if (process === this.#process) return
    this.#isAlone = false
    this.touch(new Set([`update ${table}`]))
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
