import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { openTestDatabase, testDatabaseUrl, testEngine } from '../../../test/support/database.ts'
import { newId } from '../../base/ids.ts'
import { createLog } from '../log.ts'
import { SharedChanges } from './changes.ts'
import type { Writes } from './writes.ts'

const { db, changes, transaction } = await openTestDatabase()
const isServer = testEngine === 'postgres'
const needsServer = { skip: !isServer && 'nobody else writes to an embedded database' }

/** What never comes ends at the limit of a test. */
const until = async (is: () => boolean) => {
  while (!is()) await sleep(10)
}

async function insertUser(): Promise<string> {
  const id = newId()
  await db.insertInto('users').values({ id, email: id, display_name: 'x' }).execute()
  return id
}

test('changes can be heard from the beginning', () => {
  assert.equal(changes.isTrue, true)
})

test('touch tells the listeners of this process', () => {
  let heard = 0
  changes.subscribe(() => {
    heard += 1
  })
  changes.touch()
  assert.equal(heard, 1)
})

/** What is heard from now on of this table: other tests of the process may have jobs that write to others. */
function writesOfUsers(): Writes[] {
  const heard: Writes[] = []
  changes.subscribe(writes => {
    if (writes?.has('update users')) heard.push(writes)
  })
  return heard
}

/** A connection as another process has it. */
async function another(): Promise<Client> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const url = new URL(testDatabaseUrl)
  url.pathname = `/${rows[0]?.name}`
  const client = new Client({ connectionString: url.href })
  await client.connect()
  after(() => client.end())
  return client
}

test('what another process writes is heard once it is committed, with its table', needsServer, async () => {
  const id = await insertUser()
  const client = await another()
  const heard = writesOfUsers()
  await client.query('begin')
  await client.query(`update users set display_name = 'y' where id = $1`, [id])
  await sleep(50)
  assert.deepEqual(heard, [])
  await client.query('commit')
  await until(() => heard.length > 0)
  assert.deepEqual(heard, [new Set(['update users'])])
})

test('what this process writes is told by its transaction, with all tables, and not once more', async () => {
  const id = await insertUser()
  const heard = writesOfUsers()
  await transaction(async trx => {
    await trx.updateTable('users').set({ display_name: 'y' }).where('id', '=', id).execute()
    await sql`delete from settings where name = 'none'`.execute(trx)
  })
  assert.deepEqual(heard, [new Set(['update users', 'delete settings'])])
  await sleep(50)
  assert.equal(heard.length, 1)
})

test(
  'while the line is down nothing is true, and after it is back everything may be old',
  needsServer,
  async () => {
    const heard: boolean[] = []
    changes.subscribe(() => heard.push(changes.isTrue))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'octavo changes' and datname = current_database()`.execute(db)
    await until(() => heard.includes(false))
    await until(() => changes.isTrue)
    assert.equal(heard.at(-1), true)
    const id = await insertUser()
    heard.length = 0
    await (await another()).query('delete from users where id = $1', [id])
    await until(() => heard.length > 0)
  },
)

test('a server that cannot be reached is tried again until it is closed', async () => {
  const line = new SharedChanges('postgres://nobody@127.0.0.1:1/nothing', 'me', createLog('silent'))
  await line.connect()
  assert.equal(line.isTrue, false)
  await line.close()
})
