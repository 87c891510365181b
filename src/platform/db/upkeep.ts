// What a PostgreSQL server does by background processes, which the embedded one does not have: checkpoints, without
// which its write-ahead log grows for ever, and vacuum and statistics, without which tables swell and plans go wrong.
import { sql } from 'kysely'
import type { Log } from '../log.ts'
import type { Database, Db } from './open.ts'

const LOOK_MILLISECONDS = 10_000
const WAL_BYTES_MAX = 64 * 1024 * 1024
// The rule of autovacuum, with its defaults: https://www.postgresql.org/docs/current/routine-vacuuming.html#AUTOVACUUM
const ROWS_MIN = 50
const DEAD_SHARE = 0.2
const CHANGED_SHARE = 0.1

/** The same database, looked after every ten seconds until it is closed; a look without work costs two tiny queries. */
export function withUpkeep(database: Database, log: Log): Database {
  const upkeep = createUpkeep(database.db)
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= upkeep()
      .then(done => {
        if (done.length > 0) log.debug({ done }, 'looked after the embedded database')
      })
      .catch(error => log.warn({ err: error }, 'the embedded database could not be looked after'))
      .finally(() => {
        running = undefined
      })
  }, LOOK_MILLISECONDS).unref()
  return {
    ...database,
    async close() {
      clearInterval(timer)
      await running
      await database.close()
    },
  }
}

/** One look: a checkpoint when the log has grown, then at most one table, because each stops everybody else meanwhile. */
export function createUpkeep(db: Db, walBytesMax: number = WAL_BYTES_MAX): () => Promise<string[]> {
  let checkpointAt: string | undefined
  return async () => {
    const done: string[] = []
    const grown = await walSince(db, checkpointAt)
    checkpointAt ??= grown.at
    if (grown.bytes > walBytesMax) {
      await sql`checkpoint`.execute(db)
      checkpointAt = grown.at
      done.push('checkpoint')
    }
    const table = await neediestTable(db)
    if (table !== undefined) {
      const verb = table.isSwollen ? 'vacuum analyze' : 'analyze'
      await sql`${sql.raw(verb)} ${sql.table(table.name)}`.execute(db)
      done.push(`${verb} ${table.name}`)
    }
    return done
  }
}

async function walSince(db: Db, since: string | undefined): Promise<{ at: string; bytes: number }> {
  const { rows } = await sql<{ at: string; bytes: number }>`
    select pg_current_wal_insert_lsn()::text as at,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), coalesce(${since ?? null}::pg_lsn, pg_current_wal_insert_lsn()))::int8 as bytes
  `.execute(db)
  return rows[0]!
}

const isSwollen = sql<boolean>`n_dead_tup > ${sql.lit(ROWS_MIN)} + ${sql.lit(DEAD_SHARE)} * n_live_tup`
const isChanged = sql<boolean>`n_mod_since_analyze > ${sql.lit(ROWS_MIN)} + ${sql.lit(CHANGED_SHARE)} * n_live_tup`

async function neediestTable(db: Db): Promise<{ name: string; isSwollen: boolean } | undefined> {
  const { rows } = await sql<{ name: string; isSwollen: boolean }>`
    select relname as name, ${isSwollen} as "isSwollen" from pg_stat_user_tables
    where ${isSwollen} or ${isChanged}
    order by n_dead_tup + n_mod_since_analyze desc limit 1`.execute(db)
  return rows[0]
}
