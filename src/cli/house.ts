// The house, opened: folder, lock, database, migrations, services. What `serve` and every other command begin with.
import { mkdirSync } from 'node:fs'
import type { Services } from '../http/context.ts'
import type { Config } from '../platform/config.ts'
import { migrate } from '../platform/db/migrate.ts'
import { openDatabase } from '../platform/db/open.ts'
import type { Runner } from '../platform/jobs/runner.ts'
import { type HomeLock, lockHome } from '../platform/lock.ts'
import type { Log } from '../platform/log.ts'
import { createServices } from './compose.ts'

export type House = {
  readonly services: Services
  /** Runs queued work once it is started. */
  readonly runner: Runner
  /** Nobody else can be using this database: it is embedded, and the folder is locked. */
  readonly isExclusive: boolean
  close(): Promise<void>
}

/** Throws a Failure that names the process when another one has the folder. */
export async function openHouse(config: Config, log: Log): Promise<House> {
  mkdirSync(config.home, { recursive: true, mode: 0o700 })
  for (const warning of config.warnings) log.warn(warning)
  const lock = await lockHome(config.home)
  try {
    return await openLocked(config, log, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function openLocked(config: Config, log: Log, lock: HomeLock): Promise<House> {
  const database = await openDatabase(config, log)
  try {
    await migrate(database)
    return {
      ...(await createServices(config, log, database)),
      isExclusive: database.kind === 'embedded',
      async close() {
        await database.close()
        await lock.release()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
