// Announces the ids of committed rows, from this process or another one, to the caches of this process: see
// platform/cache/cache.ts. Triggers collect the ids (migration 0043).
import { Client } from 'pg'
import type { Log } from '../log.ts'

/** Ids of written rows; undefined: any row may have been written. */
export type ChangedIds = ReadonlySet<string> | undefined

/** As triggers write them: separated by spaces, with `*` if there are too many. */
export const parseChangedIds = (text: string): ChangedIds =>
  text.includes('*') ? undefined : new Set(text.split(' ').filter(id => id !== ''))

export interface Changes {
  /** False while changes of other processes cannot be received. */
  readonly isReceiving: boolean
  /**
   * Calls back, synchronously, after every commit of this process and for every change of another one, until the
   * function that it returns is called.
   */
  subscribe(listener: (changed: ChangedIds) => void): () => void
  /** To be called after a write outside `transaction()`. */
  touch(changed?: ChangedIds): void
  /** Also announces what this backend may still commit: its connection broke during a commit. */
  watchLostBackend(backend: number): void
  /**
   * Resolves once everything that any process committed before the call has been received; undefined if nothing can
   * be missing.
   */
  catchUp(): Promise<void> | undefined
  /** Sends short messages to the other processes, all in one statement; nothing if there are none. May be lost. */
  tellPeers(messages: readonly string[]): void
  /** Calls back for each message of another process, until the function that it returns is called. */
  hearPeers(listener: (message: string) => void): () => void
}

export interface ClosableChanges extends Changes {
  close(): Promise<void>
}

class Listeners {
  readonly #all = new Set<(changed: ChangedIds) => void>()
  subscribe(listener: (changed: ChangedIds) => void): () => void {
    this.#all.add(listener)
    return () => this.#all.delete(listener)
  }
  touch(changed?: ChangedIds): void {
    for (const listener of this.#all) listener(changed)
  }
}

/** For a database that no other process writes to. */
export class LocalChanges extends Listeners implements ClosableChanges {
  readonly isReceiving = true
  watchLostBackend(): void {}
  catchUp(): undefined {}
  tellPeers(): void {}
  hearPeers(): () => void {
    return () => {}
  }
  async close(): Promise<void> {}
}

const CHANNEL = 'octavo_changed'
/** Messages of processes to each other, each after the name of its process. */
const PEERS = 'octavo_peers'
const TELL = `select pg_notify('${PEERS}', $1 || ' ' || message) from unnest($2::text[]) as message`
const APPLICATION = 'octavo changes'
const OTHERS = `select from pg_stat_activity
  where datname = current_database() and application_name = $1 and pid <> pg_backend_pid()`
const RUNNING = 'select pid from pg_stat_activity where pid = any($1::int[])'
const RECONNECT_MILLISECONDS = 1000
// A network that goes silent without closing the connection is detected by a query, after at most 20 seconds.
const ASK_MILLISECONDS = 15_000
const ANSWER_MILLISECONDS_MAX = 5_000

/**
 * For a database that other processes write to as well: triggers notify, and a dedicated connection listens. This
 * process's own writes are announced at commit, and not again, unless their outcome is unknown.
 */
export class SharedChanges extends Listeners implements ClosableChanges {
  isReceiving = false
  readonly #url: string
  readonly #process: string
  readonly #log: Log
  #client: Client | undefined
  /** Whether another process uses the database: each announces its start before it writes. */
  #hasSeenOthers = false
  /** Backends that may still commit, until the server has ended them. */
  readonly #lostBackends = new Set<number>()
  readonly #peerListeners = new Set<(message: string) => void>()
  #retry: NodeJS.Timeout | undefined
  #asking: NodeJS.Timeout | undefined
  #underWay: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #closed = false

  /** `process`: the name of this process, set on its connections as `octavo.process`. */
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
    client.on('notification', ({ processId, channel, payload = '' }) => {
      if (channel === PEERS) this.#hear(payload)
      else this.#receive(processId, payload)
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      await client.query(`listen ${PEERS}`)
      await client.query('select pg_notify($1, $2)', [CHANNEL, `hello ${this.#process}`])
      const { rowCount } = await client.query(OTHERS, [APPLICATION])
      this.#hasSeenOthers ||= rowCount !== 0
      if (this.#closed) return
      this.#asking = setInterval(() => {
        this.#forgetEndedBackends(client).catch(error => this.#lost(client, error))
      }, ASK_MILLISECONDS).unref()
      // changes before the first notification were missed
      this.isReceiving = true
      this.touch()
    } catch (error) {
      this.#lost(client, error)
    }
  }

  watchLostBackend(backend: number): void {
    this.#lostBackends.add(backend)
  }

  /** An ended backend commits nothing more, and what it committed is received before the answer: see `catchUp`. */
  async #forgetEndedBackends(client: Client): Promise<void> {
    const lost = [...this.#lostBackends]
    const { rows } = await client.query<{ pid: number }>(RUNNING, [lost])
    const running = new Set(rows.map(({ pid }) => pid))
    for (const backend of lost) if (!running.has(backend)) this.#lostBackends.delete(backend)
  }

  /**
   * PostgreSQL notifies a session of a commit before it answers the committing one, and sends notifications before
   * the answer to a query. Calls during a query share the next one. A lone process has nothing to wait for.
   */
  catchUp(): Promise<void> | undefined {
    if (!this.#hasSeenOthers && this.#lostBackends.size === 0) return undefined
    this.#next ??= this.#underWay.then(() => {
      this.#next = undefined
      this.#underWay = this.#ask()
      return this.#underWay
    })
    return this.#next
  }

  /** Never fails: a connection that does not answer is lost, and nothing is cached then. */
  async #ask(): Promise<void> {
    const client = this.#client
    if (client === undefined || !this.isReceiving) return
    try {
      await client.query('select 1')
    } catch (error) {
      this.#lost(client, error)
    }
  }

  /** `<table> <process> <id>` from the trigger `announce_change`; `hello <process>` from a process that has started. */
  #receive(backend: number, payload: string): void {
    const [, process, ...ids] = payload.split(' ')
    // Behind a pooler a session does not say whose it is, so its changes are announced even to who made them.
    const isUnnamed = process === ''
    if (process !== this.#process && !isUnnamed) this.#hasSeenOthers = true
    else if (!isUnnamed && !this.#lostBackends.has(backend)) return
    this.touch(parseChangedIds(ids.join(' ')))
  }

  tellPeers(messages: readonly string[]): void {
    const client = this.#client
    if (client === undefined || !this.isReceiving || !this.#hasSeenOthers || messages.length === 0) return
    client.query(TELL, [this.#process, messages]).catch(error => this.#lost(client, error))
  }

  hearPeers(listener: (message: string) => void): () => void {
    this.#peerListeners.add(listener)
    return () => this.#peerListeners.delete(listener)
  }

  #hear(payload: string): void {
    const end = payload.indexOf(' ')
    if (payload.slice(0, end) === this.#process) return
    for (const listener of this.#peerListeners) listener(payload.slice(end + 1))
  }

  #lost(client: Client, error?: unknown): void {
    if (this.#closed || this.#client !== client) return
    this.#client = undefined
    clearInterval(this.#asking)
    this.isReceiving = false
    this.touch()
    this.#log.warn(
      { err: error },
      'changes of other processes cannot be received: caches are off until reconnected',
    )
    client.end().catch(() => {})
    this.#retry = setTimeout(() => void this.connect(), RECONNECT_MILLISECONDS)
    this.#retry.unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.isReceiving = false
    clearTimeout(this.#retry)
    clearInterval(this.#asking)
    await this.#client?.end().catch(() => {})
  }
}
