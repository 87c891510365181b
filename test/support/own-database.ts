// A database for processes that a test starts: nothing to say for the embedded engine, which lives in their folder, and
// an empty database of a PostgreSQL server when OCTAVO_TEST_DATABASE is the address of one.
import { after } from 'node:test'
import { Client } from 'pg'
import { newId } from '../../src/base/ids.ts'
import type { Environment } from './process.ts'

const server = process.env.OCTAVO_TEST_DATABASE ?? 'embedded'

export const isPostgres = server !== 'embedded'

// Under the same lock and prefix as in `database.ts`, which removes what killed runs left: databases with this prefix
// that nobody is connected to.
const LOCK = 0x6f63_7465_7374
const PREFIX = 'octavo_test_processes_'

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
  after(async () => {
    await holder.end()
    const admin = await connect(server)
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
  })
  return { DATABASE_URL: url.href }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}
