// An OCTAVO_HOME whose embedded database is made and migrated already, as `octavo migrate` leaves it. Making one takes
// seconds and is the same every time; copying one takes a blink.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256 } from '../../src/base/canonical.ts'
import { Failure } from '../../src/base/errors.ts'
import { readConfig } from '../../src/platform/config.ts'
import { readMigrations } from '../../src/platform/db/migrate.ts'
import { type HomeLock, lockHome } from '../../src/platform/lock.ts'
import { createLog } from '../../src/platform/log.ts'

const ROOT = join(import.meta.dirname, '../..')
const CACHE = join(ROOT, 'node_modules/.cache/octavo')
const PREFIX = 'home-'
const WAIT_MS = 50

/** Everything that decides what a migrated folder looks like. */
const fingerprint = sha256(
  [
    ...readMigrations().map(({ checksum }) => checksum),
    ...['src/platform/db/embedded.ts', 'node_modules/@electric-sql/pglite/package.json'].map(path =>
      readFileSync(join(ROOT, path), 'utf8'),
    ),
  ].join('\n'),
).slice(0, 16)

/** A folder below `parent`; the first `octavo serve` on it is the first start. */
export async function copyMigrated(parent: string): Promise<string> {
  const home = join(parent, 'home')
  cpSync(await migratedHome(), home, { recursive: true })
  return home
}

const migratedHome = (): Promise<string> =>
  madeOnce(join(CACHE, PREFIX + fingerprint), async (unfinished, made) => {
    // Loaded where one is made: few processes that copy one need the whole program.
    const { openRuntime } = await import('../../src/cli/runtime.ts')
    const runtime = await openRuntime(readConfig({ OCTAVO_HOME: unfinished }), createLog('silent'))
    await runtime.close()
    for (const old of readdirSync(CACHE))
      if (old.startsWith(PREFIX) && old !== basename(made))
        rmSync(join(CACHE, old), { recursive: true, force: true })
  })

/** Test files that start together wait for the one that makes it. */
export async function madeOnce(
  made: string,
  make: (unfinished: string, made: string) => Promise<void>,
): Promise<string> {
  if (existsSync(made)) return made
  mkdirSync(CACHE, { recursive: true })
  const lock = await takeTurn(join(CACHE, `making-${basename(made)}`))
  try {
    if (existsSync(made)) return made
    const unfinished = mkdtempSync(join(CACHE, 'unfinished-'))
    await make(unfinished, made)
    renameSync(unfinished, made)
    return made
  } finally {
    lock.release()
  }
}

async function takeTurn(folder: string): Promise<HomeLock> {
  for (;;) {
    try {
      return await lockHome(folder)
    } catch (error) {
      if (!(error instanceof Failure && error.kind === 'conflict')) throw error
      await sleep(WAIT_MS)
    }
  }
}
