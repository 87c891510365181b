// An OCTAVO_HOME whose embedded database is made and migrated already, as `octavo migrate` leaves it, and one that was
// started already. Making one takes seconds and is the same every time; copying one takes a blink.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { sha256 } from '../../src/base/canonical.ts'
import { Failure } from '../../src/base/errors.ts'
import { readMigrations } from '../../src/platform/db/migrate.ts'
import { type HomeLock, lockHome } from '../../src/platform/lock.ts'
import { ROOT, run, serve, temporaryFolder } from './process.ts'

// A test opens such a folder for seconds: compiling the engine quickly costs less than compiling it well.
setFlagsFromString('--liftoff-only')

const CACHE = join(ROOT, 'node_modules/.cache/octavo')
const PREFIX = 'home-'
const SAID = 'said.txt'
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

/** A folder, one of this test file if nothing else is said; the first `octavo serve` on it is the first start. */
export async function newHome(parent = temporaryFolder()): Promise<string> {
  const home = join(parent, 'home')
  cpSync(await migratedHome(), home, { recursive: true })
  return home
}

/**
 * A folder, one of this test file if nothing else is said, on which `octavo serve` had its first start, with the token of
 * `serve` in process.ts.
 */
export async function startedHome(parent = temporaryFolder()): Promise<string> {
  const first = await firstStart()
  if (first === undefined) return newHome(parent)
  const home = join(parent, 'home')
  cpSync(first.home, home, { recursive: true })
  return home
}

/** The folder of that first start, which nobody may change, and what it said, on both of its streams. */
export async function firstStart(): Promise<{ readonly home: string; readonly said: string } | undefined> {
  // What it looks like is decided by the whole program: it is kept with that, or not at all.
  const program = process.env.OCTAVO_TEST_PROGRAM
  if (program === undefined) return undefined
  const made = await madeOnce(join(program, 'first-start'), async unfinished => {
    const home = join(unfinished, 'home')
    cpSync(await migratedHome(), home, { recursive: true })
    const server = await serve(home)
    const { code, stdout, stderr } = await server.end('SIGTERM')
    if (code !== 0) throw new Error(`octavo serve: ${stderr}`)
    writeFileSync(join(unfinished, SAID), stdout + stderr)
  })
  return { home: join(made, 'home'), said: readFileSync(join(made, SAID), 'utf8') }
}

const migratedHome = (): Promise<string> =>
  madeOnce(join(CACHE, PREFIX + fingerprint), async (unfinished, made) => {
    const { code, stderr } = await run(['migrate'], { env: { OCTAVO_HOME: unfinished } })
    if (code !== 0) throw new Error(`octavo migrate: ${stderr}`)
    for (const old of readdirSync(CACHE))
      if (old.startsWith(PREFIX) && old !== basename(made))
        rmSync(join(CACHE, old), { recursive: true, force: true })
  })

/** Test files that start together wait for the one that makes it. */
async function madeOnce(
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
