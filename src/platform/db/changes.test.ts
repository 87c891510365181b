import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openTestDatabase, testEngine } from '../../../test/support/database.ts'
import { newId } from '../../base/ids.ts'
import { createLog } from '../log.ts'
import { SharedChanges } from './changes.ts'

const { db, changes } = await openTestDatabase()
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

test('another process hears of a write, and only after it was committed', needsServer, async () => {
  const id = await insertUser()
  await sleep(50)
  let heard = 0
  changes.subscribe(() => {
    heard += 1
  })
  // a session of the pool stands for another process: its writes do not pass through transaction()
  await db.transaction().execute(async trx => {
    await trx.updateTable('users').set({ display_name: 'y' }).where('id', '=', id).execute()
    await sleep(50)
    assert.equal(heard, 0)
  })
  await until(() => heard > 0)
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
    await db.deleteFrom('users').where('id', '=', id).execute()
    await until(() => heard.length > 0)
  },
)

test('a server that cannot be reached is tried again until it is closed', async () => {
  const line = new SharedChanges('postgres://nobody@127.0.0.1:1/nothing', createLog('silent'))
  await line.connect()
  assert.equal(line.isTrue, false)
  await line.close()
})
