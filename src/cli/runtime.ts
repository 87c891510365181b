// What `serve` and every other command start with: a locked folder, an open and migrated database, and the services.
import { isDiskFull, isSystemError, precondition } from '../base/errors.ts'
import type { Services } from '../http/context.ts'
import { removeCopy } from '../platform/backup/copy.ts'
import type { Config } from '../platform/config.ts'
import { migrate } from '../platform/db/migrate.ts'
import { openDatabase } from '../platform/db/open.ts'
import type { Runner } from '../platform/jobs/runner.ts'
import { type HomeLock, lockHome } from '../platform/lock.ts'
import type { Log } from '../platform/log.ts'
import { createServices } from './compose.ts'

export type Runtime = {
  readonly services: Services
  /** Runs queued work once started. */
  readonly runner: Runner
  /** No other process can be using this database: it is embedded, and the folder is locked. */
  readonly isExclusive: boolean
  close(): Promise<void>
}

/**
 * `settle` may still change or refuse the config while the folder is ours and nothing has been made yet.
 *
 * @throws {Failure} `home_in_use` naming the process that holds the folder, `home_unusable` if it cannot be used.
 */
export async function openRuntime(
  config: Config,
  log: Log,
  settle: (config: Config) => Config | Promise<Config> = same => same,
): Promise<Runtime> {
  for (const warning of config.warnings) log.warn(warning)
  const lock = await takeHome(config.home)
  try {
    return await openLocked(await settle(config), log, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** @throws {Failure} `home_in_use`, `home_unusable`. */
export async function takeHome(home: string): Promise<HomeLock> {
  try {
    return await lockHome(home)
  } catch (error) {
    if (!isSystemError(error) || isDiskFull(error)) throw error
    throw precondition('home_unusable', `OCTAVO_HOME: the folder ${home} cannot be used: ${error.message}`)
  }
}

async function openLocked(config: Config, log: Log, lock: HomeLock): Promise<Runtime> {
  await removeCopy(config.home)
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
