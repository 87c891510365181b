// `octavo restore`: an empty database becomes what a backup holds. Nothing else may have the folder meanwhile.
import { join } from 'node:path'
import { readBackup } from '../platform/backup/read.ts'
import { migrationsOf, type RestoreResult, restoreBackup } from '../platform/backup/restore.ts'
import { openBlobStore } from '../platform/blobs/open.ts'
import type { Config } from '../platform/config.ts'
import { readMigrations } from '../platform/db/migrate.ts'
import { openUnattended } from '../platform/db/open.ts'
import type { Log } from '../platform/log.ts'
import type { Hold } from './hold.ts'
import { takeHome } from './house.ts'

export async function restoreFrom(
  config: Config,
  log: Log,
  file: string,
  { emit, signal }: Hold,
): Promise<RestoreResult> {
  const migrations = readMigrations()
  const backup = await readBackup(file, {}, signal, done => emit({ stage: 'checking', done, total: 0 }))
  migrationsOf(file, backup.header, migrations)
  const lock = await takeHome(config.home)
  try {
    const database = await openUnattended(config, log)
    try {
      const blobs = await openBlobStore(config, join(config.home, 'blobs'))
      const tell = (stage: string, done: number, total: number) => emit({ stage, done, total })
      return await restoreBackup({ database, blobs, migrations }, file, backup, tell, signal)
    } finally {
      await database.close()
    }
  } finally {
    lock.release()
  }
}
