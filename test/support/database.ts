// A migrated database for test files:
//
//   const database = await openTestDatabase()
//
// at the top of the file. The files of a lane share it, one after the other, so each test makes its own organization and
// none believes that the database is empty. OCTAVO_TEST_DATABASE names the engine: `embedded` (the default) or the
// postgres:// address of a server where databases may be created. Both are copies of a migrated template that is made
// once for a given set of migrations and reused by every process.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { sha256 } from '../../src/base/canonical.ts'
import { newId } from '../../src/base/ids.ts'
import type { Database, Db } from '../../src/platform/db/database.ts'
import { openMemory } from '../../src/platform/db/embedded.ts'
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts'
import { embeddedDatabase, postgresDatabase } from '../../src/platform/db/open.ts'
import { createLog } from '../../src/platform/log.ts'
import { whenDone } from './lane.ts'

export const testDatabaseUrl = process.env['OCTAVO_TEST_DATABASE'] ?? 'embedded'
export const testEngine: Database['kind'] = testDatabaseUrl === 'embedded' ? 'embedded' : 'postgres'

const log = createLog('error')
const migrations = readMigrations()
const fingerprint = sha256(migrations.map(({ name, checksum }) => `${name} ${checksum}`).join()).slice(0, 16)

let opening: Promise<Database> | undefined

/** Closed (and dropped) with the lane. */
export async function openTestDatabase(): Promise<Database> {
  opening ??= newTestDatabase().then(database => {
    whenDone(() => database.close())
    return database
  })
  return opening
}

/** The database of a server as another process has it. Its caller closes it. */
export async function openBeside({ db }: Pick<Database, 'db'>): Promise<Database> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  return postgresDatabase(urlOf(rows[0]?.name ?? ''), CONNECTIONS, log)
}

/** One that its caller closes. */
export const newTestDatabase = (): Promise<Database> =>
  testEngine === 'embedded' ? openEmbedded() : openClone()

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/octavo')
const TEMPLATE = /^template-.*\.tar$/

async function openEmbedded(): Promise<Database> {
  return closedOnce(embeddedDatabase(await openMemory(await embeddedTemplate()), log))
}

/**
 * What `dump()` gave of an embedded database that was made and migrated. Processes that start together may each make
 * it; the rename makes one of them win, and all are alike.
 */
export async function embeddedTemplate(): Promise<Blob> {
  const name = `template-smaller-${engineVersion()}-${fingerprint}.tar`
  const path = join(CACHE, name)
  try {
    return new Blob([readFileSync(path)])
  } catch {
    const engine = await openMemory()
    const database = embeddedDatabase(engine, log)
    // Or files of a log that is over stay for the log to come, and every copy carries them along.
    await sql`set wal_recycle = off`.execute(database.db)
    await migrate(database, migrations)
    await removeUnused(database.db)
    const dump = await (await engine.session()).dump()
    await database.close()
    mkdirSync(CACHE, { recursive: true })
    for (const old of readdirSync(CACHE))
      if (TEMPLATE.test(old) && old !== name) rmSync(join(CACHE, old), { force: true })
    const unfinished = `${path}.${newId()}`
    writeFileSync(unfinished, Buffer.from(await dump.arrayBuffer()))
    renameSync(unfinished, path)
    return dump
  }
}

/** What every copy would carry along: the two databases that new ones are made of, and the log of how it was made. */
async function removeUnused(db: Db): Promise<void> {
  await sql`update pg_database set datistemplate = false where datistemplate`.execute(db)
  await sql`drop database template0`.execute(db)
  await sql`drop database template1`.execute(db)
  await sql`checkpoint`.execute(db)
}

const engineVersion = (): string => {
  const manifest = join(import.meta.dirname, '../../node_modules/@electric-sql/pglite/package.json')
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

const LOCK = 0x6f63_7465_7374
const PREFIX = 'octavo_test'
const CONNECTIONS = 5

async function openClone(): Promise<Database> {
  const template = `${PREFIX}_template_${fingerprint}`
  const name = `${PREFIX}_${newId().toLowerCase()}`
  const database = await administer(async client => {
    // Only one session may use a template while it is copied, and what nobody is connected to counts as left over: so
    // making, copying and connecting hold one lock.
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (rowCount === 0) {
      await dropLeftovers(client)
      await makeTemplate(client, template)
    }
    await client.query(`create database ${name} template ${template}`)
    return postgresDatabase(urlOf(name), CONNECTIONS, log)
  })
  return closedOnce(database, () =>
    administer(async client => void (await client.query(`drop database if exists ${name} with (force)`))),
  )
}

// Templates of earlier migrations, and databases of runs that were killed. Those in use stay.
async function dropLeftovers(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database d where datname like $1
      and not exists (select from pg_stat_activity a where a.datname = d.datname)`,
    [`${PREFIX.replaceAll('_', '\\_')}\\_%`],
  )
  for (const { name } of rows) await client.query(`drop database if exists ${name}`).catch(() => {})
}

// Made under another name, so that a run that was interrupted leaves no half template behind.
async function makeTemplate(client: Client, template: string): Promise<void> {
  const unfinished = `${template}_unfinished`
  await client.query(`drop database if exists ${unfinished} with (force)`)
  await client.query(`create database ${unfinished} template template0`)
  const database = await postgresDatabase(urlOf(unfinished), CONNECTIONS, log)
  await migrate(database, migrations)
  await database.close()
  await client.query(`alter database ${unfinished} rename to ${template}`)
}

async function administer<T>(run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: testDatabaseUrl })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

function urlOf(name: string): string {
  const url = new URL(testDatabaseUrl)
  url.pathname = `/${name}`
  return url.href
}

function closedOnce(database: Database, finish: () => Promise<void> = async () => {}): Database {
  let closing: Promise<void> | undefined
  return {
    ...database,
    close() {
      closing ??= database.close().then(finish)
      return closing
    },
  }
}
