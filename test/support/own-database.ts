// A database for processes that a test starts: nothing to say for the embedded engine, which lives in their folder, and
// an empty database of a PostgreSQL server when OCTAVO_TEST_DATABASE is the address of one.
import { cpSync, existsSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after } from 'node:test'
import { Client } from 'pg'
import { sha256 } from '../../src/base/canonical.ts'
import { newId } from '../../src/base/ids.ts'
import { newHome, startedHome } from './home.ts'
import { type Environment, ROOT, serve, temporaryFolder } from './process.ts'

const server = process.env.OCTAVO_TEST_DATABASE ?? 'embedded'

export const isPostgres = server !== 'embedded'

// Under the same lock and prefix as in `database.ts`, which removes what killed runs left: databases with this prefix
// that nobody is connected to.
const LOCK = 0x6f63_7465_7374
const PREFIX = 'octavo_test_processes_'

// One for each working copy of the project; its comment names the program that started on it.
const STARTED = `octavo_test_started_${sha256(ROOT).slice(0, 16)}`

const held = new Map<string, Client>()

// Here and not where one is made: in a hook, `after` would mean after that hook.
after(async () => {
  if (held.size === 0) return
  const admin = await connect(server)
  for (const [name, holder] of held) {
    await holder.end()
    await admin.query(`drop database if exists ${name} with (force)`)
  }
  await admin.end()
})

/** Where a server can start: a folder of its own, and the variables that name its database. */
export type Installation = { readonly home: string; readonly env: Environment }

export const newInstallation = async (): Promise<Installation> =>
  isPostgres ? { home: temporaryFolder(), env: await ownDatabase() } : { home: await newHome(), env: {} }

/** One whose first start may have been already, for tests of what comes after it. */
export async function anyInstallation(): Promise<Installation> {
  if (!isPostgres) return { home: await startedHome(), env: {} }
  // What it looks like is decided by the whole program: it is kept with that, or not at all.
  const program = process.env.OCTAVO_TEST_PROGRAM
  return program === undefined ? newInstallation() : copyStarted(program)
}

/** The variables that make a process use it. Dropped when the file is done. */
export async function ownDatabase(): Promise<Environment> {
  if (!isPostgres) return {}
  return await inTurn(admin => createOwn(admin, 'template0'))
}

/** A copy of a database and a folder on which `octavo serve` had its first start, as `startedHome`. */
async function copyStarted(program: string): Promise<Installation> {
  const made = join(program, 'started-home-postgres')
  const home = join(temporaryFolder(), 'home')
  const env = await inTurn(async admin => {
    const { rowCount } = await admin.query(
      `select from pg_database where datname = $1 and shobj_description(oid, 'pg_database') = $2`,
      [STARTED, basename(program)],
    )
    if (rowCount === 0 || !existsSync(made)) {
      await startOnce(admin, made)
      await admin.query(`comment on database ${STARTED} is '${basename(program)}'`)
    }
    return createOwn(admin, STARTED)
  })
  cpSync(made, home, { recursive: true })
  return { home, env }
}

async function startOnce(admin: Client, home: string): Promise<void> {
  await admin.query(`drop database if exists ${STARTED} with (force)`)
  rmSync(home, { recursive: true, force: true })
  await admin.query(`create database ${STARTED} template template0`)
  const started = await serve(home, { env: { DATABASE_URL: urlOf(STARTED) } })
  const { code, stderr } = await started.end('SIGTERM')
  if (code !== 0) throw new Error(`octavo serve: ${stderr}`)
}

async function createOwn(admin: Client, template: string): Promise<Environment> {
  const name = PREFIX + newId().toLowerCase()
  await admin.query(`create database ${name} template ${template}`)
  held.set(name, await connect(urlOf(name)))
  return { DATABASE_URL: urlOf(name) }
}

/** One after the other: what nobody is connected to counts as left over. */
async function inTurn<T>(run: (admin: Client) => Promise<T>): Promise<T> {
  const admin = await connect(server)
  try {
    await admin.query('select pg_advisory_lock($1)', [LOCK])
    return await run(admin)
  } finally {
    await admin.end()
  }
}

function urlOf(name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}
