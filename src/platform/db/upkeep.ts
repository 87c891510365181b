// The work of a PostgreSQL server's background processes, which the embedded one lacks: checkpoints, without which
// its write-ahead log grows forever, and vacuum, without which tables bloat. Statistics are refreshed on both: plans
// go wrong without them, and after an import a server would get to them a minute later.
import { type RawBuilder, sql } from 'kysely'
import { assertDefined } from '../../base/assert.ts'
import type { Log } from '../log.ts'
import type { Database, Db } from './database.ts'
import { withoutDeadline } from './statement-deadline.ts'

const LOOK_MILLISECONDS = 10_000
const WAL_BYTES_MAX = 64 * 1024 * 1024
// The rule of autovacuum, with its defaults: https://www.postgresql.org/docs/current/routine-vacuuming.html#AUTOVACUUM
const ROWS_MIN = 50
const DEAD_SHARE = 0.2
const CHANGED_SHARE = 0.1

/** The same database, maintained every ten seconds until it is closed; a check without work costs tiny queries. */
export function withUpkeep(database: Database, log: Log): Database {
  const upkeep =
    database.kind === 'embedded' ? createUpkeep(database.db) : () => refreshStatistics(database.sessions)
  let running: Promise<void> | undefined
  let isPaused = false
  const timer = setInterval(() => {
    if (isPaused) return
    running ??= upkeep()
      .then(done => {
        if (done.length > 0) log.debug({ done }, 'maintained the database')
      })
      .catch(error => log.warn({ err: error }, 'the database could not be maintained'))
      .finally(() => {
        running = undefined
      })
  }, LOOK_MILLISECONDS).unref()
  const { copyTo } = database
  return {
    ...database,
    ...(copyTo && {
      async copyTo(folder, signal) {
        isPaused = true
        try {
          await running
          await copyTo(folder, signal)
        } finally {
          isPaused = false
        }
      },
    }),
    async close() {
      clearInterval(timer)
      await running
      await database.close()
    },
  }
}

/**
 * One check of an embedded database: a checkpoint if the log has grown, then a vacuum of at most one table, then
 * statistics. Each blocks everybody else; in between, others have their turn.
 */
export function createUpkeep(db: Db, walBytesMax: number = WAL_BYTES_MAX): () => Promise<string[]> {
  let checkpointAt: string | undefined
  return async () => {
    const done: string[] = []
    const grown = await walSince(db, checkpointAt)
    checkpointAt ??= grown.at
    if (grown.bytes > walBytesMax) {
      await withoutDeadline(db, session => sql`checkpoint`.execute(session))
      checkpointAt = grown.at
      done.push('checkpoint')
    }
    const [swollen] = await listTables(db, isSwollen)
    if (swollen !== undefined) {
      await withoutDeadline(db, session => sql`vacuum analyze ${sql.table(swollen)}`.execute(session))
      done.push(`vacuum analyze ${swollen}`)
    }
    done.push(...(await refreshStatistics(db)))
    return done
  }
}

/** Analyzes every table that has changed too much for its statistics; returns what it did. */
export async function refreshStatistics(db: Db): Promise<string[]> {
  const done: string[] = []
  for (const table of await listTables(db, isChanged)) {
    // skips a table that another process is analyzing
    await withoutDeadline(db, session => sql`analyze (skip_locked) ${sql.table(table)}`.execute(session))
    done.push(`analyze ${table}`)
  }
  return done
}

async function walSince(db: Db, since: string | undefined): Promise<{ at: string; bytes: number }> {
  const { rows } = await sql<{ at: string; bytes: number }>`
    select pg_current_wal_insert_lsn()::text as at,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), coalesce(${since ?? null}::pg_lsn, pg_current_wal_insert_lsn()))::int8 as bytes
  `.execute(db)
  return assertDefined(rows[0], 'a select without `from` has one row')
}

const isSwollen = sql<boolean>`n_dead_tup > ${sql.lit(ROWS_MIN)} + ${sql.lit(DEAD_SHARE)} * n_live_tup`
const isChanged = sql<boolean>`n_mod_since_analyze > ${sql.lit(ROWS_MIN)} + ${sql.lit(CHANGED_SHARE)} * n_live_tup`

/** The neediest first. */
async function listTables(db: Db, isNeedy: RawBuilder<boolean>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
    where schemaname = current_schema() and ${isNeedy}
    order by n_dead_tup + n_mod_since_analyze desc`.execute(db)
  return rows.map(({ name }) => name)
}
