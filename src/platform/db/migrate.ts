// Brings a database to the schema that this program expects: plain SQL files, in order, forward only.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { sha256 } from '../../base/canonical.ts'
import { precondition } from '../../base/errors.ts'
import type { Database, Db } from './database.ts'
import { sqlState } from './failures.ts'
import { withoutDeadline } from './statement-deadline.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const FILE = /^\d{4}_[a-z0-9_]+\.sql$/
// Any number that no other program uses: "octavo" in ASCII.
const LOCK = 0x6f63_7461_766f
const LOCK_MS = 100
const UNDEFINED_TABLE = '42P01'

export interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
  /** Its first lines contain `-- breaking`: a program that does not know it must not touch the database. */
  readonly isBreaking: boolean
}

export interface Applied {
  readonly name: string
  readonly checksum: string
  readonly breaking: boolean
}

/** In order. */
export function readMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter(name => FILE.test(name))
    .sort()
    .map(file => {
      const text = readFileSync(join(FOLDER, file), 'utf8')
      return {
        name: file.replace(/\.sql$/, ''),
        sql: text,
        checksum: sha256(text),
        isBreaking: isBreaking(text),
      }
    })
}

function isBreaking(text: string): boolean {
  for (const line of text.split('\n')) {
    if (!line.startsWith('--')) return false
    if (/^--\s*breaking\b/.test(line)) return true
  }
  return false
}

/**
 * Applies missing migrations and returns their names. One query if there are none. Each is one transaction;
 * `interruption` ends the rest, by throwing its reason.
 *
 * @throws {Failure} `precondition` if an applied migration has been edited since, or if a newer program made a
 * breaking migration.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = readMigrations(),
  interruption?: AbortSignal,
): Promise<string[]> {
  const { db } = database
  if (missingOf(migrations, await listApplied(db)).length === 0) return []
  // one connection for everything: the lock belongs to the session, and only one process migrates at a time
  return withoutDeadline(database.sessions, async session => {
    await takeLock(session, interruption)
    try {
      await sql`create table if not exists migrations (
        name text primary key,
        checksum text not null,
        breaking boolean not null,
        applied_at timestamptz not null default now()
      )`.execute(session)
      const missing = missingOf(migrations, await listApplied(session))
      for (const migration of missing) {
        interruption?.throwIfAborted()
        await apply(session, migration)
      }
      return missing.map(migration => migration.name)
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(LOCK)})`.execute(session)
    }
  })
}

/** Asks again and again: a statement that waits for the lock could not be interrupted. */
async function takeLock(session: Db, interruption: AbortSignal | undefined): Promise<void> {
  for (;;) {
    interruption?.throwIfAborted()
    const { rows } = await sql<{ isTaken: boolean }>`
      select pg_try_advisory_lock(${sql.lit(LOCK)}) as "isTaken"`.execute(session)
    if (rows[0]?.isTaken === true) return
    await sleep(LOCK_MS)
  }
}

async function apply(session: Db, migration: Migration): Promise<void> {
  await session.transaction().execute(async trx => {
    await sql.raw(migration.sql).execute(trx)
    await sql`insert into migrations (name, checksum, breaking)
      values (${migration.name}, ${migration.checksum}, ${migration.isBreaking})`.execute(trx)
  })
}

/** In order; none in an empty database. */
export async function listApplied(db: Db): Promise<Applied[]> {
  try {
    return (await sql<Applied>`select name, checksum, breaking from migrations order by name`.execute(db))
      .rows
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return []
    throw error
  }
}

function missingOf(known: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const byName = new Map(applied.map(row => [row.name, row]))
  for (const migration of known) {
    const row = byName.get(migration.name)
    if (row !== undefined && row.checksum !== migration.checksum) {
      throw precondition(
        'migration_edited',
        `The migration ${migration.name} was applied to this database and has been edited since. ` +
          'Restore the file and put the change into a new migration.',
      )
    }
  }
  const names = new Set(known.map(migration => migration.name))
  const unknown = applied.filter(row => row.breaking && !names.has(row.name))
  if (unknown.length > 0) {
    throw precondition(
      'database_newer',
      `A newer version of Octavo has migrated this database (${unknown.map(row => row.name).join(', ')}). ` +
        'Start that version or a later one.',
    )
  }
  return known.filter(migration => !byName.has(migration.name))
}
