// What `serve` and every other command start with: a locked folder, an open and migrated database, and the services.
import { isDiskFull, isSystemError, precondition } from '../base/errors.ts'
import type { Services } from '../http/context.ts'
import { removeCopy } from '../platform/backup/copy.ts'
import type { Config } from '../platform/config.ts'
import { migrate, readMigrations } from '../platform/db/migrate.ts'
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
 * `interruption` ends it between two migrations, by throwing its reason.
 *
 * @throws {Failure} `home_in_use` naming the process that holds the folder, `home_unusable` if it cannot be used.
 */
export async function openRuntime(
  config: Config,
  log: Log,
  settle: (config: Config) => Config | Promise<Config> = same => same,
  interruption?: AbortSignal,
): Promise<Runtime> {
  for (const warning of config.warnings) log.warn(warning)
  const lock = await takeHome(config.home)
  try {
    return await openLocked(await settle(config), log, lock, interruption)
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** @throws {Failure} `home_in_use`, `home_unusable`. */
export async function takeHome(home: string): Promise<HomeLock> {
  try {
    const lock = await lockHome(home)
    void lock.lost.then(() => endAtOnce(home))
    return lock
  } catch (error) {
    if (!isSystemError(error) || isDiskFull(error)) throw error
    throw precondition('home_unusable', `OCTAVO_HOME: the folder ${home} cannot be used: ${error.message}`)
  }
}

/** Without another word to the database: another process may have the folder by now. What was acknowledged is there. */
function endAtOnce(home: string): never {
  process.stderr.write(
    `octavo: The lock of ${home} was removed while this process was using the folder. It ends now, because another process can take the folder. Start it again.\n`,
  )
  process.exit(1)
}

async function openLocked(
  config: Config,
  log: Log,
  lock: HomeLock,
  interruption: AbortSignal | undefined,
): Promise<Runtime> {
  await removeCopy(config.home)
  const database = await openDatabase(config, log)
  try {
    await migrate(database, readMigrations(), interruption)
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
