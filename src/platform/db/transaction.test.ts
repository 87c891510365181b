import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase, testEngine } from '../../../test/support/database.ts'
import { newId } from '../../base/ids.ts'
import type { Trx } from './database.ts'
import { afterCommit } from './transaction.ts'

const { db, transaction, changes } = await openTestDatabase()

const raise = (state: string) => sql.raw(`do $$ begin raise exception 'x' using errcode = '${state}'; end $$`)

test('serialization failures and deadlocks run the transaction again, from its beginning', async () => {
  for (const state of ['40001', '40P01']) {
    let attempts = 0
    const id = newId()
    await transaction(async trx => {
      attempts += 1
      await trx.insertInto('projections').values({ id }).execute()
      if (attempts < 3) await raise(state).execute(trx)
    })
    assert.equal(attempts, 3)
    assert.equal((await db.selectFrom('projections').select('id').where('id', '=', id).execute()).length, 1)
  }
})

test('after five attempts the caller is asked to try again', async () => {
  let attempts = 0
  await assert.rejects(
    transaction(async trx => {
      attempts += 1
      await raise('40001').execute(trx)
    }),
    { kind: 'unavailable', code: 'busy' },
  )
  assert.equal(attempts, 5)
})

test('other errors do not run it again', async () => {
  let attempts = 0
  await assert.rejects(
    transaction(async () => {
      attempts += 1
      throw new Error('no')
    }),
  )
  assert.equal(attempts, 1)
})

test('a transaction begins with its first statement, whatever that is', async () => {
  const insert = (trx: Trx, id: string) => trx.insertInto('projections').values({ id }).execute()
  const count = async (ids: readonly string[]) =>
    (await db.selectFrom('projections').select('id').where('id', 'in', ids).execute()).length
  const undo = async (trx: Trx, id: string) => {
    await insert(trx, id)
    throw new Error('undone')
  }
  const ids = Array.from({ length: 4 }, newId)
  const [one, two, three, four] = ids as [string, string, string, string]
  // The first transaction of a connection begins by itself.
  await Promise.all(Array.from({ length: 20 }, () => transaction(async () => {})))
  await transaction(trx => insert(trx, one))
  await assert.rejects(transaction(trx => undo(trx, two)))
  await assert.rejects(
    transaction(async trx => {
      await sql.raw(`insert into projections (id) values ('${three}'); select 1`).execute(trx)
      await undo(trx, four)
    }),
  )
  assert.equal(await count(ids), 1)
  const { rows } = await transaction(trx => sql<{ id: string }>`select ${one} as id`.execute(trx))
  assert.deepEqual(rows, [{ id: one }])
  await assert.rejects(transaction(trx => sql`select ${1}::integer / 0`.execute(trx)))
  assert.deepEqual((await sql<{ one: number }>`select 1 as one`.execute(db)).rows, [{ one: 1 }])
})

test('a real deadlock ends well for both', {
  skip: testEngine === 'embedded' && 'one connection cannot deadlock',
}, async () => {
  const [a, b] = [newId(), newId()]
  await db
    .insertInto('settings')
    .values([a, b].map(name => ({ name, value: '0' })))
    .execute()
  const touch = (first: string, second: string) =>
    transaction(async trx => {
      for (const name of [first, second]) {
        await trx
          .updateTable('settings')
          .set({ value: sql<string>`to_jsonb(value::int + 1)` })
          .where('name', '=', name)
          .execute()
        await new Promise(resolve => setTimeout(resolve, 100))
      }
    })
  await Promise.all([touch(a, b), touch(b, a)])
  const rows = await db.selectFrom('settings').select('value').where('name', 'in', [a, b]).execute()
  assert.deepEqual(
    rows.map(row => row.value),
    [2, 2],
  )
})

test('listeners are called for a commit before transaction() returns, and not for a rollback', async () => {
  const heard: string[] = []
  const user = newId()
  await db.insertInto('users').values({ id: user, email: user, display_name: 'x' }).execute()
  // Jobs of other files may commit meanwhile.
  changes.subscribe(changed => {
    if (changed?.has(user)) heard.push('changed')
  })
  await transaction(async trx => {
    afterCommit(() => heard.push('after'))
    await trx.updateTable('users').set({ display_name: 'y' }).where('id', '=', user).execute()
    assert.deepEqual(heard, [])
  })
  assert.deepEqual(heard.slice(0, 2), ['changed', 'after'])
  heard.length = 0
  await assert.rejects(
    transaction(async () => {
      afterCommit(() => heard.push('after'))
      throw new Error('no')
    }),
  )
  assert.ok(!heard.includes('after'))
})
