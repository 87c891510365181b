// Fills an empty database and the file store from a backup: all of it or nothing.
import { type RawBuilder, sql } from 'kysely'
import { conflict, precondition } from '../../base/errors.ts'
import { removeHolds } from '../blobs/holds.ts'
import type { BlobStore } from '../blobs/store.ts'
import { limitConcurrency } from '../blobs/turns.ts'
import type { Database, Db, Trx } from '../db/database.ts'
import { listApplied, type Migration, migrate } from '../db/migrate.ts'
import { findSetting, INSTALLATION, insertSetting, removeSetting } from '../db/settings.ts'
import { withoutDeadline } from '../db/statement-deadline.ts'
import { type BackupHeader, damaged, newerFormat } from './format.ts'
import { type Backup, readBackup } from './read.ts'
import { countRows, insertRows, listTables, moveSequences, spellPlainly, type Table } from './tables.ts'
import type { ReportProgress } from './write.ts'

export type RestoreTarget = {
  readonly database: Database
  readonly blobs: Pick<BlobStore, 'put'>
  readonly migrations: readonly Migration[]
}

export type RestoreResult = {
  readonly header: BackupHeader
  readonly rows: number
  readonly blobs: number
  /** What was left out: tables that are not Octavo's, and files that were damaged when the backup was made. */
  readonly leftOut: readonly string[]
}

// The setting that records which backup a database was filled from.
const RESTORED = 'restored_backup'

// Small files wait for the disk, or for S3, together; of a larger file, only a piece is in memory.
const SMALL_BYTES_MAX = 1024 * 1024
const PUTS_AT_ONCE = 8

/**
 * Reads the whole file before it touches anything. `backup` is the result of `readBackup`.
 *
 * @throws {Failure} as `readBackup`; conflict `database_in_use`; precondition `database_migrated`.
 */
export async function restoreBackup(
  { database, blobs, migrations }: RestoreTarget,
  path: string,
  backup: Backup,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<RestoreResult> {
  await requireEmptyDatabase(database.db)
  await migrate(database, migrationsOf(path, backup.header, migrations))
  const result = await withoutDeadline(database.db, session =>
    session.transaction().execute(trx => fill(trx, blobs, path, backup, report, signal)),
  )
  await migrate(database, migrations)
  return result
}

/** The migrations that its database had. @throws {Failure} invalid `backup_newer`, `backup_damaged`. */
export function migrationsOf(path: string, header: BackupHeader, known: readonly Migration[]): Migration[] {
  const byName = new Map(known.map(migration => [migration.name, migration]))
  return header.migrations.map(({ name, checksum }) => {
    const migration = byName.get(name)
    if (migration === undefined) throw newerFormat(path, `its database has ${name}.`)
    if (migration.checksum !== checksum)
      throw damaged(path, `its database was made with another version of ${name} than this program has.`)
    return migration
  })
}

/** @throws {Failure} conflict `database_in_use`. */
export async function requireEmptyDatabase(db: Db | Trx): Promise<void> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('users') is not null as found`.execute(db)
  if (rows[0]?.found !== true) return
  if ((await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined)
    throw conflict(
      'database_in_use',
      'The database is in use: a backup is restored into an empty one. Give another OCTAVO_HOME, and with PostgreSQL another DATABASE_URL.',
    )
}

/**
 * Whether the database was filled from this backup: an operator who interrupted a restore at its very end cannot
 * know.
 */
export const isFilledFrom = async (db: Db, { end }: Backup): Promise<boolean> =>
  (await findSetting(db, RESTORED)) === end.sha256

async function fill(
  trx: Trx,
  blobs: RestoreTarget['blobs'],
  path: string,
  { header, end }: Backup,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<RestoreResult> {
  await spellPlainly(trx)
  // A server that starts now waits for this before it checks whether this is its first start.
  await sql`select pg_advisory_xact_lock(hashtext('octavo first start'))`.execute(trx)
  await requireEmptyDatabase(trx)
  await needSame(trx, header)
  const tables = new Map((await listTables(trx)).map(table => [table.name, table]))
  const putBack = await setAside(trx, [...tables.values()])
  const store = storing(blobs)
  const damagedBlobs = new Set(end.damaged)
  const total = Object.keys(end.tables).length + end.blobs
  const seen = new Set<string>()
  let stored = 0
  await readBackup(
    path,
    {
      async rows(name, json) {
        const table = tables.get(name)
        if (table !== undefined) await insertRows(trx, table, json)
        seen.add(name)
        report('restoring', seen.size, total)
      },
      async blob(sha256, size, content) {
        if (damagedBlobs.has(sha256)) for await (const _ of content);
        else await store.put(sha256, size, content)
        stored += 1
        report('restoring', Object.keys(end.tables).length + stored, total)
      },
    },
    signal,
  )
  await store.done()
  report('checking', 0, 0)
  await putBack()
  await moveSequences(trx)
  let rows = 0
  for (const table of tables.values()) {
    const count = await countRows(trx, table)
    if (count !== (end.tables[table.name] ?? 0))
      throw damaged(path, `${table.name} has ${count} rows and not ${end.tables[table.name] ?? 0}.`)
    rows += count
  }
  await removeHolds(trx)
  signal.throwIfAborted()
  await removeSetting(trx, RESTORED)
  // The installation that made the backup may still be running, with its bucket.
  await removeSetting(trx, INSTALLATION)
  await insertSetting(trx, RESTORED, end.sha256)
  const unknown = Object.keys(end.tables).filter(name => !tables.has(name))
  const leftOut = [
    ...unknown.map(name => `the table ${name}`),
    ...end.damaged.map(hash => `the file ${hash}`),
  ]
  return { header, rows, blobs: end.blobs - end.damaged.length, leftOut }
}

async function needSame(trx: Trx, header: BackupHeader): Promise<void> {
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).sort()
  if (names(await listApplied(trx)).join() !== names(header.migrations).join())
    throw precondition(
      'database_migrated',
      'The database has been migrated to a newer version than that of the backup. Give an empty one: another OCTAVO_HOME, and with PostgreSQL another DATABASE_URL.',
    )
}

/**
 * Removes rows that migrations wrote, and lifts constraints, so that rows can come in any order; the returned
 * function adds the constraints again and enables the triggers.
 */
async function setAside(trx: Trx, tables: readonly Table[]): Promise<() => Promise<void>> {
  const { rows: keys } = await sql<{ table: string; name: string; definition: string }>`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and c.relnamespace = current_schema()::regnamespace
      and c.relname in (${sql.join(tables.map(({ name }) => name))})
    order by c.relname, k.conname`.execute(trx)
  // All changes to a table in one statement, since each statement reads the table's whole description again.
  const alterEach = async (
    change: (key: (typeof keys)[number]) => RawBuilder<unknown>,
    triggers: RawBuilder<unknown>,
  ) => {
    for (const { name } of tables) {
      const changes = [...keys.filter(({ table }) => table === name).map(change), triggers]
      await sql`alter table ${sql.table(name)} ${sql.join(changes)}`.execute(trx)
    }
  }
  await alterEach(({ name }) => sql`drop constraint ${sql.ref(name)}`, sql`disable trigger user`)
  // There are only a few rows, and `truncate` would make new files for every table and index.
  for (const { name } of tables) await sql`delete from ${sql.table(name)}`.execute(trx)
  return () =>
    alterEach(
      ({ name, definition }) => sql`add constraint ${sql.ref(name)} ${sql.raw(definition)}`,
      sql`enable trigger user`,
    )
}

type BlobWriter = {
  put(sha256: string, size: number, content: AsyncIterable<Uint8Array>): Promise<void>
  done(): Promise<void>
}

function storing(blobs: RestoreTarget['blobs']): BlobWriter {
  const contentType = 'application/octet-stream'
  const inTurn = limitConcurrency(PUTS_AT_ONCE)
  const underWay = new Set<Promise<unknown>>()
  let failure: { readonly error: unknown } | undefined
  const throwIfFailed = () => {
    if (failure !== undefined) throw failure.error
  }
  return {
    async put(sha256, size, content) {
      throwIfFailed()
      if (size > SMALL_BYTES_MAX) {
        await blobs.put(content, { contentType, sha256 })
        return
      }
      const chunks: Uint8Array[] = []
      for await (const chunk of content) chunks.push(chunk)
      if (underWay.size >= PUTS_AT_ONCE) await Promise.race(underWay)
      const putting = inTurn(() => blobs.put(Buffer.concat(chunks), { contentType, sha256 }))
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => underWay.delete(putting))
      underWay.add(putting)
    },
    async done() {
      await Promise.all(underWay)
      throwIfFailed()
    },
  }
}
