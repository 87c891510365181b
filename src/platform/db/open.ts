// Opens the database that the operator asked for: a PostgreSQL server by its address, else the embedded one in the
// folder.
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type CustomTypesConfig, Pool, types } from 'pg'
import { assertDefined } from '../../base/assert.ts'
import { Failure, messageOf, unavailable } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { type ClosableChanges, LocalChanges, SharedChanges } from './changes.ts'
import type { Database, Db } from './database.ts'
import { type Engine, openFolder } from './embedded.ts'
import { copyEmbedded } from './embedded-copy.ts'
import { EmbeddedSocket } from './embedded-socket.ts'
import { createPlaces } from './places.ts'
import { PLANNING } from './planning.ts'
import { preparedPool } from './prepared.ts'
import type { Tables } from './tables.ts'
import { inTransaction } from './transaction.ts'
import { withUpkeep } from './upkeep.ts'

/** For a free connection. */
const WAIT_MILLISECONDS_MAX = 30_000
/** How long a server may be silent before it is given up. */
type Patience = {
  /** While it accepts a connection. */
  readonly connectMs: number
  /** After the deadline of a statement, at which it answers by itself. */
  readonly marginMs: number
}
const PATIENCE: Patience = { connectMs: 5_000, marginMs: 5_000 }
const IDLE_IN_TRANSACTION_MILLISECONDS_MAX = 60_000
// A connection accumulates prepared statements and plans; replacing it from time to time keeps both small and
// current.
const CONNECTION_SECONDS_MAX = 3600

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'databaseConnections' | 'home' | 'statementSecondsMax'>

export const openDatabase = async (config: DatabaseConfig, log: Log): Promise<Database> =>
  withUpkeep(await openUnattended(config, log), log)

/** Without upkeep, for work that has the database to itself. */
export async function openUnattended(config: DatabaseConfig, log: Log): Promise<Database> {
  const { databaseUrl, databaseConnections } = config
  const statementMs = config.statementSecondsMax * 1000
  if (databaseUrl !== undefined) return postgresDatabase(databaseUrl, databaseConnections, log, statementMs)
  return embeddedDatabase(await openFolder(join(config.home, 'database'), log, { statementMs }), log)
}

/** An open engine as a Database that owns it. */
export function embeddedDatabase(engine: Engine, log: Log): Database {
  const pool = poolOf(engine, WAIT_MILLISECONDS_MAX)
  const database = assemble('embedded', pool, 0, new LocalChanges(), log, () => engine.close())
  const { folder } = engine
  if (folder === undefined) return database
  return { ...database, copyTo: (to, signal) => copyEmbedded(database.db, folder, to, signal) }
}

export async function postgresDatabase(
  url: string,
  connections: number,
  log: Log,
  statementMs = 60_000,
  { connectMs, marginMs } = PATIENCE,
): Promise<Database> {
  const process = newId()
  const pool = new Pool({
    connectionString: url,
    max: connections,
    application_name: 'octavo',
    options: [...PLANNING, '-c', `octavo.process=${process}`].join(' '),
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: CONNECTION_SECONDS_MAX,
    keepAlive: true,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MILLISECONDS_MAX,
    types: typeParsers,
  })
  const changes = new SharedChanges(url, process, log)
  const answerMs = statementMs === 0 ? 0 : statementMs + marginMs
  const database = assemble('postgres', pool, answerMs, changes, log, async () => {})
  try {
    await checkServer(database.db)
  } catch (error) {
    await database.close()
    const { host, pathname } = new URL(url)
    const why = messageOf(error instanceof Failure && error.cause instanceof Error ? error.cause : error)
    throw unavailable('database_unreachable', `The database ${host}${pathname} cannot be used: ${why}`, error)
  }
  await changes.connect()
  return database
}

const VERSION_MIN = 14

async function checkServer(db: Db): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding`.execute(db)
  const { version, encoding } = assertDefined(rows[0], 'a select without `from` has one row')
  if (version < VERSION_MIN)
    throw new Error(`it is PostgreSQL ${version}; ${VERSION_MIN} or newer is needed.`)
  if (encoding !== 'UTF8') throw new Error(`its encoding is ${encoding}; create it with encoding UTF8.`)
}

function assemble(
  kind: Database['kind'],
  pool: Pool,
  /** How long an answer may take; 0 for the embedded database, whose session is watched from here. */
  answerMs: number,
  changes: ClosableChanges,
  log: Log,
  closeRest: () => Promise<void>,
): Database {
  // A broken connection emits an event, whether in use or not; its queries fail and the pool replaces it. Without
  // listeners the event would end the process.
  pool.on('error', error => log.warn({ err: error }, 'an idle database connection was lost'))
  pool.on('connect', client =>
    client.on('error', error => log.debug({ err: error }, 'a database connection broke')),
  )
  const places = createPlaces(pool.options.max, WAIT_MILLISECONDS_MAX)
  const db: Db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: preparedPool(pool, places, answerMs) }),
  })
  return {
    kind,
    db,
    changes,
    transaction: run => inTransaction(db, changes, run),
    async close() {
      await changes.close()
      await db.destroy()
      await closeRest()
    },
  }
}

// How PostgreSQL values become JavaScript values; the same for both engines because both use `pg`.
const { builtins } = types

type Parse = (text: string) => unknown

// Counts and sizes are numbers; one beyond 2^53 stays a string rather than losing digits.
const parseInteger: Parse = text => {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}
const asText: Parse = text => text

const PARSERS = new Map<number, Parse>([
  [builtins.INT8, parseInteger],
  // a day has no time zone, so it is not a Date
  [builtins.DATE, asText],
])

/**
 * text, text[], int4, int8 (number while exact), bool, bytea (Buffer), timestamptz (Date), jsonb (value), date (text).
 */
const typeParsers: CustomTypesConfig = {
  // Overloads by format, which one function expression cannot have.
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && PARSERS.get(id)) ||
    types.getTypeParser(id, format as 'text')) as typeof types.getTypeParser,
}

/** The only session of an engine as a pool of one connection, whose queue is first come, first served. */
export const poolOf = (engine: Engine, waitMilliseconds: number): Pool =>
  new Pool({
    max: 1,
    stream: () => new EmbeddedSocket(engine),
    user: 'postgres',
    password: 'unused',
    database: 'postgres',
    ssl: false,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: waitMilliseconds,
    types: typeParsers,
  })
