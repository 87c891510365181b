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
import { isStalePlan } from './failures.ts'
import { createPlaces } from './places.ts'
import { PLANNING } from './planning.ts'
import { type Connecting, preparedPool, StatementCounts } from './prepared.ts'
import { EMBEDDED_ROOM, ServerRoom, writeAndTakeBack } from './room.ts'
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

type DatabaseConfig = Pick<
  Config,
  | 'databaseUrl'
  | 'databaseDirectUrl'
  | 'databaseNamedStatements'
  | 'databaseConnections'
  | 'home'
  | 'statementSecondsMax'
>

export async function openDatabase(config: DatabaseConfig, log: Log): Promise<Database> {
  const { databaseUrl, databaseDirectUrl, databaseConnections, databaseNamedStatements } = config
  const statementMs = config.statementSecondsMax * 1000
  const database =
    databaseUrl === undefined || databaseDirectUrl === undefined
      ? await openUnattended(config, log)
      : await pooledDatabase(databaseUrl, log, {
          ...{ connections: databaseConnections, statementMs, namesStatements: databaseNamedStatements },
          directUrl: databaseDirectUrl,
        })
  return withUpkeep(database, log)
}

/** Without upkeep, for work that has the database to itself, and past a pooler. */
export async function openUnattended(config: DatabaseConfig, log: Log): Promise<Database> {
  const { databaseDirectUrl, databaseUrl = databaseDirectUrl, databaseConnections } = config
  const statementMs = config.statementSecondsMax * 1000
  if (databaseUrl !== undefined)
    return postgresDatabase(databaseDirectUrl ?? databaseUrl, databaseConnections, log, statementMs)
  return embeddedDatabase(await openFolder(join(config.home, 'database'), log, { statementMs }), log)
}

// Its session is watched from here.
const EMBEDDED: Connecting = { answerMs: 0, namesStatements: true }

/** An open engine as a Database that owns it. */
export function embeddedDatabase(engine: Engine, log: Log): Database {
  const pool = poolOf(engine, WAIT_MILLISECONDS_MAX)
  const database = assemble('embedded', pool, EMBEDDED, new LocalChanges(), log, () => engine.close())
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
  const pool = directPool(url, connections, process, statementMs, connectMs)
  const changes = new SharedChanges(url, process, log)
  const answerMs = statementMs === 0 ? 0 : statementMs + marginMs
  const database = assemble(
    'postgres',
    pool,
    { answerMs, namesStatements: true },
    changes,
    log,
    async () => {},
  )
  await checked(database, url, () => checkServer(database.db, process))
  await changes.connect()
  return database
}

export type Pooled = {
  readonly directUrl: string
  readonly connections: number
  readonly statementMs: number
  readonly namesStatements: boolean
}

// Migrations, upkeep and the like, one after the other.
const DIRECT_CONNECTIONS = 2

/**
 * A server behind a pooler that gives each transaction whatever session is free: a session has no settings, and what
 * needs one goes past the pooler.
 */
export async function pooledDatabase(
  url: string,
  log: Log,
  { directUrl, connections, statementMs, namesStatements }: Pooled,
): Promise<Database> {
  const process = newId()
  const { connectMs, marginMs } = PATIENCE
  const answerMs = statementMs === 0 ? 0 : statementMs + marginMs
  const changes = new SharedChanges(directUrl, process, log)
  const direct = assemble(
    'postgres',
    directPool(directUrl, DIRECT_CONNECTIONS, process, statementMs, connectMs),
    { answerMs, namesStatements: true },
    changes,
    log,
    async () => {},
  )
  const pool = new Pool({
    connectionString: url,
    max: connections,
    application_name: 'octavo',
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: CONNECTION_SECONDS_MAX,
    keepAlive: true,
    types: typeParsers,
  })
  const connecting = { answerMs, namesStatements, transactionSettings: settingsOf(statementMs) }
  const database = {
    ...assemble('postgres', pool, connecting, changes, log, () => direct.close()),
    sessions: direct.db,
  }
  await checked(database, directUrl, () => checkServer(direct.db, process))
  await checked(database, url, () => checkPooler(pool, direct.db, namesStatements))
  await changes.connect()
  return database
}

const directPool = (
  url: string,
  connections: number,
  process: string,
  statementMs: number,
  connectMs: number,
): Pool =>
  new Pool({
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

/** What a session has at its start, for one transaction. */
const settingsOf = (statementMs: number): string =>
  [
    ...PLANNING.filter(one => one !== '-c'),
    `statement_timeout=${statementMs}`,
    `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MILLISECONDS_MAX}`,
  ]
    .map(setting => `set local ${setting.replace('=', ' = ')}`)
    .join('; ')

/** Closes the database if the check fails, and says which one cannot be used and why. */
async function checked(database: Database, url: string, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    await database.close()
    const { host, pathname } = new URL(url)
    const cause = error instanceof Failure && error.cause instanceof Error ? error.cause : error
    const why = isParameterRefusal(cause) ? BEHIND_A_POOLER : messageOf(cause)
    throw unavailable('database_unreachable', `The database ${host}${pathname} cannot be used: ${why}`, error)
  }
}

const isParameterRefusal = (error: unknown): boolean => /unsupported startup parameter/.test(messageOf(error))

const BEHIND_A_POOLER =
  'it is behind a connection pooler such as PgBouncer, which does not pass on the settings of a session. ' +
  'Set OCTAVO_DATABASE_DIRECT_URL to the address of PostgreSQL itself, and leave that of the pooler in DATABASE_URL.'

const VERSION_MIN = 14

/** `process`: the setting that its sessions were opened with. */
async function checkServer(db: Db, process: string): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string; process: string | null }>`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding,
      current_setting('octavo.process', true) as process`.execute(db)
  const { version, encoding, ...session } = assertDefined(rows[0], 'a select without `from` has one row')
  if (version < VERSION_MIN)
    throw new Error(`it is PostgreSQL ${version}; ${VERSION_MIN} or newer is needed.`)
  if (encoding !== 'UTF8') throw new Error(`its encoding is ${encoding}; create it with encoding UTF8.`)
  if (session.process !== process) throw new Error(BEHIND_A_POOLER)
}

const IDENTITY = `select pg_postmaster_start_time()::text || ' ' || oid as identity
  from pg_database where datname = current_database()`

async function checkPooler(pool: Pool, direct: Db, namesStatements: boolean): Promise<void> {
  const clients = [await pool.connect(), await pool.connect()]
  try {
    const identities = new Set(
      (await sql.raw<{ identity: string }>(IDENTITY).execute(direct)).rows.map(one => one.identity),
    )
    // Two clients that prepare the same name meet in one session, unless the pooler knows which statements are whose.
    for (const client of clients) {
      const { rows } = await client.query(
        namesStatements ? { name: 'octavo_check', text: IDENTITY } : IDENTITY,
      )
      identities.add(rows[0]?.identity)
    }
    if (identities.size > 1)
      throw new Error('OCTAVO_DATABASE_DIRECT_URL leads to another database than DATABASE_URL.')
  } catch (error) {
    if (isStalePlan(error)) throw new Error(NAMES_ARE_LOST)
    throw error
  } finally {
    for (const client of clients) client.release()
  }
}

const NAMES_ARE_LOST =
  'its pooler does not know which prepared statements are whose. Leave OCTAVO_DATABASE_NAMED_STATEMENTS out, or set ' +
  'max_prepared_statements of a PgBouncer from 1.21 on.'

function assemble(
  kind: Database['kind'],
  pool: Pool,
  connecting: Connecting,
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
  const room = kind === 'embedded' ? EMBEDDED_ROOM : new ServerRoom(() => writeAndTakeBack(db), log)
  const places = createPlaces(pool.options.max, WAIT_MILLISECONDS_MAX)
  const asked = new StatementCounts()
  const db: Db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: preparedPool(pool, places, connecting, room, asked) }),
  })
  return {
    kind,
    db,
    sessions: db,
    changes,
    room,
    counts: () => ({
      connectionsMax: pool.options.max,
      connections: pool.totalCount,
      idle: pool.idleCount,
      waiting: places.waiting,
      statements: asked.durations.counts(),
      failures: asked.failures.counts(),
    }),
    transaction: run => inTransaction(db, changes, run),
    async close() {
      if (room instanceof ServerRoom) room.close()
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
