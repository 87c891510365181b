// `octavo restore`: fills an empty database from a backup. No other process may use the folder during the restore.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { conflict } from '../base/errors.ts'
import { type Backup, readBackup } from '../platform/backup/read.ts'
import {
  isFilledFrom,
  migrationsOf,
  type RestoreResult,
  requireEmptyDatabase,
  restoreBackup,
} from '../platform/backup/restore.ts'
import { openBlobStore } from '../platform/blobs/open.ts'
import type { Config } from '../platform/config.ts'
import { type Migration, readMigrations } from '../platform/db/migrate.ts'
import { openUnattended } from '../platform/db/open.ts'
import type { Log } from '../platform/log.ts'
import type { CommandContext } from './command-context.ts'
import { takeHome } from './runtime.ts'

/** @throws {Failure} as `restoreBackup`; conflict `backup_restored`, `home_in_use`. */
export async function restoreFrom(
  config: Config,
  log: Log,
  file: string,
  { emit, signal }: CommandContext,
): Promise<RestoreResult> {
  const migrations = readMigrations()
  let backup = isThere(config) ? undefined : await check(file, migrations, { emit, signal })
  const lock = await takeHome(config.home)
  try {
    const database = await openUnattended(config, log)
    try {
      await requireEmptyDatabase(database.db).catch(async error => {
        backup ??= await check(file, migrations, { emit, signal })
        throw (await isFilledFrom(database.db, backup)) ? alreadyRestored() : error
      })
      backup ??= await check(file, migrations, { emit, signal })
      const blobs = await openBlobStore(config, join(config.home, 'blobs'))
      const report = (stage: string, done: number, total: number) => emit({ stage, done, total })
      return await restoreBackup({ database, blobs, migrations }, file, backup, report, signal)
    } finally {
      await database.close()
    }
  } finally {
    lock.release()
  }
}

const alreadyRestored = () =>
  conflict('backup_restored', 'The database was filled from this backup already, and holds all of it.')

/** Whether a database exists already, which may be in use. If not, it is created once the file has been verified. */
const isThere = ({ databaseUrl, home }: Config): boolean =>
  databaseUrl !== undefined || existsSync(join(home, 'database'))

async function check(
  file: string,
  migrations: readonly Migration[],
  { emit, signal }: CommandContext,
): Promise<Backup> {
  const backup = await readBackup(file, {}, signal, done => emit({ stage: 'checking', done, total: 0 }))
  migrationsOf(file, backup.header, migrations)
  return backup
}
