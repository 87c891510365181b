import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { newTestDatabase, openBeside, openTestDatabase, testEngine } from '../../../test/support/database.ts'
import { newId } from '../../base/ids.ts'
import { createLog } from '../log.ts'
import { type ChangedIds, SharedChanges } from './changes.ts'
import type { Trx } from './database.ts'

const { db, changes, transaction } = await openTestDatabase()
const isServer = testEngine === 'postgres'
const needsServer = { skip: !isServer && 'nobody else writes to an embedded database' }

/** The limit on a test ends a wait for what never comes. */
const until = async (is: () => boolean) => {
  while (!is()) await sleep(10)
}

async function insertUser(): Promise<string> {
  const id = newId()
  await db.insertInto('users').values({ id, email: id, display_name: 'x' }).execute()
  return id
}

test('changes can be heard from the beginning', () => {
  assert.equal(changes.isReceiving, true)
})

test('touch calls the listeners of this process', () => {
  let heard = 0
  changes.subscribe(() => {
    heard += 1
  })
  changes.touch()
  assert.equal(heard, 1)
})

/** What is announced from now on about a row: other tests of the process may have jobs that write to others. */
function announcedWith(id: string): ChangedIds[] {
  const announced: ChangedIds[] = []
  changes.subscribe(changed => {
    if (changed?.has(id)) announced.push(changed)
  })
  return announced
}

test('what another process writes is announced once it is committed, with its id', needsServer, async () => {
  const id = await insertUser()
  const another = await openBeside({ db })
  const heard = announcedWith(id)
  await another.transaction(async trx => {
    await trx.updateTable('users').set({ display_name: 'y' }).where('id', '=', id).execute()
    await sleep(50)
    assert.deepEqual(heard, [])
  })
  await until(() => heard.length > 0)
  await another.close()
  assert.deepEqual(heard, [new Set([id])])
})

test('what this process writes is announced by its transaction, with all ids, and not once more', async () => {
  const [id, other] = [await insertUser(), await insertUser()]
  const heard = announcedWith(id)
  await transaction(async trx => {
    await trx.updateTable('users').set({ display_name: 'y' }).where('id', '=', id).execute()
    await trx.deleteFrom('users').where('id', '=', other).execute()
    await trx.updateTable('users').set({ display_name: 'z' }).where('id', '=', id).execute()
  })
  assert.deepEqual(heard, [new Set([id, other])])
  await sleep(50)
  assert.equal(heard.length, 1)
})

test('a transaction that writes very many rows announces that any may have changed', async () => {
  const heard: ChangedIds[] = []
  changes.subscribe(changed => heard.push(changed))
  const ids = Array.from({ length: 60 }, newId)
  await transaction(async trx => {
    await trx
      .insertInto('users')
      .values(ids.map(id => ({ id, email: id, display_name: 'x' })))
      .execute()
    await trx.deleteFrom('users').where('id', 'in', ids).execute()
  })
  assert.ok(heard.includes(undefined))
})

test('a transaction that is rolled back announces nothing; one whose commit is not answered, that anything may have changed', async () => {
  // Others may commit to the database of the lane, and leave unsaid what.
  const { db, changes, transaction, close } = await newTestDatabase()
  const id = newId()
  await db.insertInto('users').values({ id, email: id, display_name: 'x' }).execute()
  const heard: ChangedIds[] = []
  const change = (fail: (trx: Trx) => Promise<unknown>) =>
    transaction(async trx => {
      await trx.updateTable('users').set({ display_name: 'y' }).where('id', '=', id).execute()
      await fail(trx)
    })
  changes.subscribe(changed => heard.push(changed))
  await assert.rejects(change(() => Promise.reject(new Error('no'))))
  assert.deepEqual(heard, [])
  // A failed statement whose error is dropped makes the commit fail.
  await assert.rejects(change(trx => sql`select 1 / 0`.execute(trx).catch(() => {})))
  assert.deepEqual(heard, [undefined])
  await close()
})

test(
  'a commit that the server completes after its connection broke is announced when it is complete, and then forgotten',
  needsServer,
  async () => {
    mock.timers.enable({ apis: ['setInterval'] })
    const own = await newTestDatabase()
    // Holds the commit of a write to projections for as long as a lock is taken.
    await sql`create function wait() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(1); return null; end $$`.execute(own.db)
    await sql`create constraint trigger wait after insert on projections initially deferred
      for each row execute function wait()`.execute(own.db)
    const id = newId()
    await own.db.insertInto('users').values({ id, email: id, display_name: 'x' }).execute()
    const heard: ChangedIds[] = []
    own.changes.subscribe(changed => heard.push(changed))
    const queries = mock.method(Client.prototype, 'query')
    await own.db.connection().execute(async lock => {
      await sql`select pg_advisory_lock(1)`.execute(lock)
      const write = own.transaction(async trx => {
        await trx.updateTable('users').set({ display_name: 'y' }).where('id', '=', id).execute()
        await trx.insertInto('projections').values({ id: newId() }).execute()
      })
      const isCommit = ({ arguments: [text] }: { arguments: unknown[] }) => `${text}`.endsWith('; commit')
      await until(() => queries.mock.calls.some(isCommit))
      const client = queries.mock.calls.find(isCommit)?.this as { connection: { stream: Socket } }
      client.connection.stream.destroy()
      await assert.rejects(write, { code: 'database_unavailable' })
      assert.deepEqual(heard, [undefined])
      mock.timers.tick(15_000)
      await own.changes.catchUp()
      assert.notEqual(own.changes.catchUp(), undefined, 'its backend is still there')
      await sql`select pg_advisory_unlock(1)`.execute(lock)
    })
    queries.mock.restore()
    assert.notEqual(own.changes.catchUp(), undefined, 'a request asks for it')
    await until(() => heard.length > 1)
    assert.deepEqual(heard, [undefined, new Set([id])])
    await until(() => {
      mock.timers.tick(15_000)
      return own.changes.catchUp() === undefined
    })
    mock.timers.reset()
    await own.close()
  },
)

test(
  'a process that is alone queries nothing before a request; beside another one it learns of every commit',
  needsServer,
  async () => {
    const own = await newTestDatabase()
    const asked = mock.method(Client.prototype, 'query')
    await own.changes.catchUp()
    assert.equal(asked.mock.callCount(), 0)

    const heard: ChangedIds[] = []
    own.changes.subscribe(changed => heard.push(changed))
    const other = await openBeside(own)
    asked.mock.resetCalls()
    await other.changes.catchUp()
    assert.equal(asked.mock.callCount(), 1, 'it has found the first')
    asked.mock.restore()
    await until(() => heard.length > 0)
    for (let round = 0; round < 50; round++) {
      heard.length = 0
      const id = newId()
      await other.db.insertInto('users').values({ id, email: id, display_name: 'x' }).execute()
      await other.db.updateTable('users').set({ display_name: 'y' }).where('id', '=', id).execute()
      await Promise.all([own.changes.catchUp(), own.changes.catchUp()])
      assert.deepEqual(heard, [new Set([id])], `${round}`)
    }
    await other.close()
    await own.close()
  },
)

test(
  'while the line is down nothing is true, and after it is back everything may be old',
  needsServer,
  async () => {
    const heard: boolean[] = []
    changes.subscribe(() => heard.push(changes.isReceiving))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'octavo changes' and datname = current_database()`.execute(db)
    await until(() => heard.includes(false))
    await until(() => changes.isReceiving)
    assert.equal(heard.at(-1), true)
    const id = await insertUser()
    heard.length = 0
    const another = await openBeside({ db })
    await another.db.deleteFrom('users').where('id', '=', id).execute()
    await until(() => heard.length > 0)
    await another.close()
  },
)

test('a server that cannot be reached is tried again until it is closed', async () => {
  const line = new SharedChanges('postgres://nobody@127.0.0.1:1/nothing', 'me', createLog('silent'))
  await line.connect()
  assert.equal(line.isReceiving, false)
  await line.close()
})
