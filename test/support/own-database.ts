// A database for processes that a test starts: nothing to say for the embedded engine, which lives in their folder, and
// an empty database of a PostgreSQL server when OCTAVO_TEST_DATABASE is the address of one.
import { after } from 'node:test'
import { Client } from 'pg'
import { newId } from '../../src/base/ids.ts'
import { newHome, startedHome } from './home.ts'
import { type Environment, temporaryFolder } from './process.ts'

const server = process.env.OCTAVO_TEST_DATABASE ?? 'embedded'

export const isPostgres = server !== 'embedded'

// Under the same lock and prefix as in `database.ts`, which removes what killed runs left: databases with this prefix
// that nobody is connected to.
const LOCK = 0x6f63_7465_7374
const PREFIX = 'octavo_test_processes_'

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

export const newInstallation = (): Promise<Installation> => installationIn(newHome)

/** One whose first start may have been already, for tests of what comes after it. */
export const anyInstallation = (): Promise<Installation> => installationIn(startedHome)

async function installationIn(makeHome: () => Promise<string>): Promise<Installation> {
  return isPostgres
    ? { home: temporaryFolder(), env: await ownDatabase() }
    : { home: await makeHome(), env: {} }
}

/** The variables that make a process use it. Dropped when the file is done. */
export async function ownDatabase(): Promise<Environment> {
  if (!isPostgres) return {}
  const url = new URL(server)
  const name = PREFIX + newId().toLowerCase()
  url.pathname = `/${name}`
  const admin = await connect(server)
  await admin.query('select pg_advisory_lock($1)', [LOCK])
  await admin.query(`create database ${name} template template0`)
  const holder = await connect(url.href)
  await admin.end()
  held.set(name, holder)
  return { DATABASE_URL: url.href }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}
