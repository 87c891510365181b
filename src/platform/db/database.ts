// The database: queries, transactions, and announcements of writes.
import type { Kysely, Transaction } from 'kysely'
import type { DurationCounts } from '../../base/tallies.ts'
import type { Changes } from './changes.ts'
import type { StatementFailure } from './failures.ts'
import type { Tables } from './tables.ts'

/** For reads; a `Trx` may be passed as a `Db`. */
export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

/** Whether there is any on the disk of the database. */
export interface Room {
  readonly isFull: boolean
}

/** Connections of this process, and what was asked over them. */
export type DatabaseCounts = {
  readonly connectionsMax: number
  readonly connections: number
  readonly idle: number
  /** For a connection. */
  readonly waiting: number
  readonly statements: DurationCounts
  readonly failures: ReadonlyMap<StatementFailure, number>
}

export interface Database {
  readonly kind: 'embedded' | 'postgres'
  readonly db: Db
  /** Connections that stay the same session; where a pooler stands before `db`, they go past it. */
  readonly sessions: Db
  readonly changes: Changes
  /** Whether it takes writes. */
  readonly room: Room
  counts(): DatabaseCounts
  /** One transaction, retried on serialization failures; its writes are announced before it returns. */
  transaction<T>(run: (trx: Trx) => Promise<T>): Promise<T>
  /** For an embedded database in a folder: copies it to a new folder, for `openCopy`, while it is in use. */
  readonly copyTo?: (folder: string, signal: AbortSignal) => Promise<void>
  /** Waits for running queries. */
  close(): Promise<void>
}
