// A pool for Kysely over a pool of `pg`: repeated statements are prepared once per connection, errors that a caller
// can act on become Failures, and a query that would wait for its own transaction fails at once.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Pool, PoolClient, QueryResult } from 'pg'
import { assert } from '../../base/assert.ts'
import { monotonicMs } from '../../base/clock.ts'
import { Durations, Tally } from '../../base/tallies.ts'
import { currentTracer, traced } from '../../base/traces.ts'
import { AnswerDeadline } from './answer-deadline.ts'
import {
  isAnswer,
  isStalePlan,
  kindOfFailure,
  STATEMENT_FAILURES,
  type StatementFailure,
  toFailure,
} from './failures.ts'
import type { Places } from './places.ts'
import type { WatchedRoom } from './room.ts'
import { nameStatement } from './statement-names.ts'

// Lists of values make statements of every length; only repeated ones are worth a place on the server.
const STATEMENTS_REMEMBERED_MAX = 2000
const STATEMENTS_PER_CONNECTION_MAX = 500
const STATEMENT_CHARACTERS_MAX = 10_000

// Without values, the text may be a script of several statements, which cannot be prepared. None of our scripts
// begins like this.
const isQuery = (text: string): boolean => /^\s*(?:select|with)\b/.test(text)

interface Statement {
  readonly name: string
  uses: number
}

const statements = new LRUCache<string, Statement>({ max: STATEMENTS_REMEMBERED_MAX })

// The name depends on the text alone, so a query has the same one on every connection and after every start.
function statementOf(sql: string): Statement {
  let statement = statements.get(sql)
  if (statement === undefined) {
    const name = `q${createHash('sha256').update(sql).digest('base64url').slice(0, 24)}`
    statement = { name, uses: 0 }
    statements.set(sql, statement)
  }
  return statement
}

export interface TransactionState {
  /** False once it has ended, with or without success. */
  open: boolean
  /** Ids of the rows that it has written, as triggers collect them; read at commit. */
  changed: string | undefined
  /** The server process of a connection that broke during the commit. */
  lostBackend: number | undefined
  readonly afterCommit: (() => void)[]
  /** Run after the commit, before its changes are announced; the functions they return run after the announcement. */
  readonly beforeAnnouncement: (() => () => void)[]
}

/** The `transaction()` whose function is running. */
export const openTransaction = new AsyncLocalStorage<TransactionState>()

// Sent as one message with the commit itself.
const COMMIT = `select coalesce(current_setting('octavo.changed', true), '') as changed; commit`

/** The types leave out the server's process id, which the embedded database does not have. */
type Connection = PoolClient & { readonly processID?: number }

const BEGIN = 'begin'

/** What the connections of a pool are to the server. */
export type Connecting = {
  /** How long an answer may take; 0 for a database that cannot stay silent. */
  readonly answerMs: number
  /** Whether statements are prepared by name. */
  readonly namesStatements: boolean
  /** Statements that follow `begin`, where the session cannot have settings. */
  readonly transactionSettings?: string
}
// The fields of an answer that Kysely looks at.
const NOTHING = { command: '', rowCount: 0, rows: [] } as unknown as QueryResult

const STATEMENT_BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000, 30_000]

/** What was asked over the connections of a pool. */
export class StatementCounts {
  readonly durations = new Durations(STATEMENT_BOUNDS_MS)
  readonly failures = new Tally<StatementFailure>(STATEMENT_FAILURES)
}

class PreparedClient implements PostgresPoolClient {
  readonly #client: Connection
  readonly #names = new Set<string>()
  readonly #stale = new Set<string>()
  readonly #deadline: AnswerDeadline
  readonly #room: WatchedRoom
  readonly #connecting: Connecting
  readonly #counts: StatementCounts
  // Of the last statement: the commit itself is sent from outside the transaction.
  #transaction: TransactionState | undefined
  #knowsBegin = false
  // A transaction begins with its first statement: both share one message and one wait.
  #isBeginDue = false
  // Why the connection broke, for later queries: the rollback of a transaction fails with the same cause.
  #broken: Error | undefined
  #giveBack = () => {}

  constructor(client: Connection, connecting: Connecting, room: WatchedRoom, counts: StatementCounts) {
    this.#client = client
    this.#connecting = connecting
    this.#room = room
    this.#counts = counts
    this.#deadline = new AnswerDeadline(client, connecting.answerMs)
    client.on('error', error => {
      this.#broken ??= this.#failureOf(error) as Error
    })
  }

  query<R>(sql: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    sql: string | PostgresCursor<R>,
    parameters: ReadonlyArray<unknown> = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    assert(typeof sql === 'string', 'cursors are not used: lists are read page by page')
    // The caller declares its statement's row type, and pg accepts a list that it does not modify.
    return this.#run(sql, parameters as unknown[]) as unknown as Promise<PostgresQueryResult<R>>
  }

  async #run(text: string, values: unknown[]): Promise<QueryResult> {
    if (this.#broken !== undefined) throw this.#broken
    if (text === BEGIN) {
      this.#deadline.restoreAfterTransaction()
      return this.#begin()
    }
    if (this.#isBeginDue && (text === 'commit' || text === 'rollback')) {
      this.#isBeginDue = false
      return NOTHING
    }
    if (text === 'commit' && this.#transaction !== undefined) return this.#commit(this.#transaction)
    this.#transaction = openTransaction.getStore()
    // Statements without values use the simple protocol until they are prepared; scripts and rollbacks always do.
    const isPrepared = (values.length > 0 || isQuery(text)) && text.length <= STATEMENT_CHARACTERS_MAX
    const statement = isPrepared ? statementOf(text) : undefined
    const name = statement && this.#nameOf(statement)
    const since = monotonicMs()
    try {
      const answer = await this.#deadline.answerOf(text, () => this.#traced(name, text, values))
      // After `begin`, the answer is the last of a list.
      this.#counts.durations.add(monotonicMs() - since)
      return Array.isArray(answer) ? answer.at(-1) : answer
    } catch (error) {
      if (name === undefined || !isStalePlan(error)) throw this.#counted(error)
      // Planned before a migration changed the table, and cached by the server; or known to another session of a
      // pooler. That name is not used again.
      this.#stale.add(name)
      if (this.#transaction?.open === true) throw error
      return this.#run(text, values)
    }
  }

  #traced(name: string | undefined, text: string, values: unknown[]): Promise<QueryResult> {
    if (currentTracer() === undefined) return this.#send(name, text, values)
    const { operation, table } = nameStatement(text)
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      ...(table === undefined ? {} : { 'db.collection.name': table }),
    }
    const span = {
      name: table === undefined ? operation : `${operation} ${table}`,
      kind: 'client',
      attributes,
    } as const
    return traced(span, () => this.#send(name, text, values))
  }

  async #begin(): Promise<QueryResult> {
    this.#transaction = undefined
    const { transactionSettings } = this.#connecting
    if (!this.#knowsBegin && transactionSettings === undefined) {
      const begun = await this.#deadline
        .answerOf(BEGIN, () => this.#client.query({ name: BEGIN, text: BEGIN }))
        .catch((error: unknown) => {
          throw this.#counted(error)
        })
      this.#knowsBegin = true
      return begun
    }
    this.#isBeginDue = true
    return NOTHING
  }

  async #send(name: string | undefined, text: string, values: unknown[]): Promise<QueryResult> {
    const query = name === undefined ? { text, values } : { name, text, values }
    if (!this.#isBeginDue) return this.#client.query(query)
    this.#isBeginDue = false
    const { transactionSettings } = this.#connecting
    if (transactionSettings !== undefined) {
      await this.#client.query(`${BEGIN}; ${transactionSettings}`)
      return this.#client.query(query)
    }
    // After a refused `begin` the server skips to the next Sync, which a message of the simple protocol lacks.
    if (name === undefined && values.length === 0) return this.#client.query(`${BEGIN}; ${text}`)
    const { connection } = this.#client
    connection.stream.cork()
    try {
      // The driver ignores the part that says whether more follows.
      connection.bind({ statement: BEGIN }, true)
      connection.execute({}, true)
      return this.#client.query(query)
    } finally {
      connection.stream.uncork()
    }
  }

  async #commit(transaction: TransactionState): Promise<QueryResult> {
    this.#transaction = undefined
    // Unknown if this fails: it may have been committed.
    transaction.changed = '*'
    try {
      // The driver answers several statements with a list.
      const [announced, committed] = (await this.#deadline.answerOf(COMMIT, () =>
        this.#client.query(COMMIT),
      )) as unknown as [QueryResult<{ changed: string }>, QueryResult]
      transaction.changed = announced.rows[0]?.changed
      return committed
    } catch (error) {
      if (!isAnswer(error)) transaction.lostBackend = this.#client.processID
      throw this.#counted(error)
    }
  }

  /** What a statement failed with. */
  #counted(error: unknown): unknown {
    this.#counts.failures.add(kindOfFailure(error))
    return this.#failureOf(error)
  }

  #failureOf(error: unknown): unknown {
    const failure = toFailure(error)
    this.#room.notice(failure)
    return failure ?? error
  }

  #nameOf(statement: Statement): string | undefined {
    if (!this.#connecting.namesStatements) return undefined
    statement.uses += 1
    if (this.#stale.has(statement.name)) return undefined
    if (this.#names.has(statement.name)) return statement.name
    if (statement.uses < 2 || this.#names.size >= STATEMENTS_PER_CONNECTION_MAX) return undefined
    this.#names.add(statement.name)
    return statement.name
  }

  /** With the place that it was given. */
  taken(giveBack: () => void): this {
    this.#giveBack = giveBack
    return this
  }

  release(): void {
    this.#deadline.restoreAfterTransaction()
    this.#client.release()
    this.#giveBack()
  }
}

export function preparedPool(
  pool: Pool,
  places: Places,
  connecting: Connecting,
  room: WatchedRoom,
  counts: StatementCounts,
): PostgresPool {
  const clients = new WeakMap<PoolClient, PreparedClient>()
  return {
    async connect() {
      // With one connection such a query waits forever, with ten it does under load: it is a mistake in both cases.
      assert(
        openTransaction.getStore()?.open !== true,
        'inside transaction() every query goes through its trx; this one went around it',
      )
      const giveBack = await places.take()
      const client = await pool.connect().catch((error: unknown) => {
        giveBack()
        throw toFailure(error) ?? error
      })
      let prepared = clients.get(client)
      if (prepared === undefined) {
        prepared = new PreparedClient(client, connecting, room, counts)
        clients.set(client, prepared)
      }
      return prepared.taken(giveBack)
    },
    end: () => pool.end(),
  }
}
