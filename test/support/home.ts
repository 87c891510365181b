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
import { setFlagsFromString } from 'node:v8'
import { sha256 } from '../../src/base/canonical.ts'
import { readMigrations } from '../../src/platform/db/migrate.ts'
import { ROOT, run, temporaryFolder } from './process.ts'

// A test opens such a folder for seconds: compiling the engine quickly costs less than compiling it well.
setFlagsFromString('--liftoff-only')

const CACHE = join(ROOT, 'node_modules/.cache/octavo')
const PREFIX = 'home-'

/** Everything that decides what such a folder looks like. */
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
  cpSync(await madeHome(), home, { recursive: true })
  return home
}

// Test files that start together may each make it; the rename makes one of them win, and all are alike.
async function madeHome(): Promise<string> {
  const made = join(CACHE, PREFIX + fingerprint)
  if (existsSync(made)) return made
  mkdirSync(CACHE, { recursive: true })
  const unfinished = mkdtempSync(join(CACHE, 'unfinished-'))
  const { code, stderr } = await run(['migrate'], { env: { OCTAVO_HOME: unfinished } })
  if (code !== 0) throw new Error(`octavo migrate: ${stderr}`)
  for (const old of readdirSync(CACHE))
    if (old.startsWith(PREFIX) && old !== basename(made))
      rmSync(join(CACHE, old), { recursive: true, force: true })
  try {
    renameSync(unfinished, made)
  } catch {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return made
}
