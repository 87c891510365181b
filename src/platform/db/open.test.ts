// Promises of every engine: run it with OCTAVO_TEST_DATABASE=postgres://… for a server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase, testEngine } from '../../../test/support/database.ts'
import { Failure } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { createLog } from '../log.ts'
import type { Db } from './database.ts'
import { sqlState } from './failures.ts'
import { postgresDatabase } from './open.ts'
import { openTransaction } from './prepared.ts'

const { db, transaction } = await openTestDatabase()

test('values come back as the types the tables promise', async () => {
  const { rows } = await sql`
    select 'ä€😀'::text as text, 7::int4 as int4, 9007199254740991::int8 as safe, 9007199254740992::int8 as unsafe,
      '\\x00ff10'::bytea as bytes, '2026-02-28 23:59:59.999+00'::timestamptz as instant, '2026-02-28'::date as day,
      '{"a":[1,null,"x"]}'::jsonb as json, '[1]'::jsonb as list, array['a', 'b"c', null, ''] as texts,
      '{}'::text[] as none, true as yes, null::text as nothing, 0.1::float8 as float`.execute(db)
  assert.deepEqual(rows, [
    {
      text: 'ä€😀',
      int4: 7,
      safe: 9007199254740991,
      unsafe: '9007199254740992',
      bytes: Buffer.from([0, 255, 16]),
      instant: new Date('2026-02-28T23:59:59.999Z'),
      day: '2026-02-28',
      json: { a: [1, null, 'x'] },
      list: [1],
      texts: ['a', 'b"c', null, ''],
      none: [],
      yes: true,
      nothing: null,
      float: 0.1,
    },
  ])
})

test('values go in as the types the tables promise, from a Uint8Array that is a view as well', async () => {
  const bytes = new Uint8Array([9, 9, 1, 2, 3]).subarray(2)
  const instant = new Date('2026-01-02T03:04:05.678Z')
  const { rows } = await sql`
    select ${bytes}::bytea as bytes, ${instant}::timestamptz as instant, ${['a', 'b,"\\', null]}::text[] as texts,
      ${JSON.stringify({ a: ['ä'] })}::jsonb as json, ${[Buffer.from([1]), new Uint8Array([2])]}::bytea[] as list,
      ${'7'}::int8 as number, ${null}::text as nothing`.execute(db)
  assert.deepEqual(rows, [
    {
      bytes: Buffer.from([1, 2, 3]),
      instant,
      texts: ['a', 'b,"\\', null],
      json: { a: ['ä'] },
      list: [Buffer.from([1]), Buffer.from([2])],
      number: 7,
      nothing: null,
    },
  ])
})

test('large values and many rows pass whole', async () => {
  const text = 'ä'.repeat(3_000_000)
  const { rows } = await sql<{ text: string }>`select ${text}::text as text`.execute(db)
  assert.equal(rows[0]?.text.length, text.length)
  const many = await sql<{ n: number }>`select n from generate_series(1, 20000) n`.execute(db)
  assert.equal(many.rows.at(-1)?.n, 20000)
})

test('a statement that comes again is prepared, and still sees new values', async () => {
  for (const n of [1, 2, 3, 4]) {
    const { rows } = await sql<{ n: number }>`select ${n}::int4 + 40 as n`.execute(db)
    assert.equal(rows[0]?.n, n + 40)
  }
  const prepared = await db.connection().execute(async session => {
    for (const n of [1, 2, 3]) await sql`select ${n}::int4 + 41 as n`.execute(session)
    return sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(session)
  })
  assert.ok(prepared.rows.some(({ statement }) => statement.includes('+ 41')))
})

test('a column added to a table does not break statements prepared before', async () => {
  await sql`create table stale (a int)`.execute(db)
  await sql`insert into stale values (1)`.execute(db)
  const read = (at: Db) => sql`select * from stale where a = ${1}`.execute(at)
  await db.connection().execute(async session => {
    for (let time = 0; time < 3; time += 1) await read(session)
    await sql`alter table stale add column b int`.execute(session)
    assert.deepEqual((await read(session)).rows, [{ a: 1, b: null }])
  })
  await Promise.all(Array.from({ length: 20 }, () => read(db)))
  await sql`alter table stale add column c int`.execute(db)
  const found = await transaction(read)
  assert.deepEqual(found.rows, [{ a: 1, b: null, c: null }])
  assert.equal((await transaction(read)).rows.length, 1)
})

test('an error leaves the connection usable', async () => {
  for (let time = 0; time < 3; time += 1) {
    await assert.rejects(sql`select 1 / ${0}::int4`.execute(db), error => sqlState(error) === '22012')
    await assert.rejects(sql`selec`.execute(db), error => sqlState(error) === '42601')
    assert.deepEqual((await sql`select ${1}::int4 as one`.execute(db)).rows, [{ one: 1 }])
  }
})

test('breaches of constraints are conflicts that name the field', async () => {
  const user = { id: newId(), email: 'one@example.org', display_name: 'One' }
  await db.insertInto('users').values(user).execute()
  await assert.rejects(
    db
      .insertInto('users')
      .values({ ...user, id: newId(), email: 'ONE@example.org' })
      .execute(),
    {
      kind: 'conflict',
      code: 'duplicate',
      message: /the same email already/,
    },
  )
  await assert.rejects(
    db.insertInto('members').values({ organization_id: newId(), user_id: user.id }).execute(),
    { kind: 'conflict', code: 'reference_broken' },
  )
})

test('texts that cannot be stored are the fault of their sender', async () => {
  const user = { id: newId(), email: 'nul@example.org', display_name: 'a\u0000b' }
  const refused = { kind: 'invalid', code: 'text_invalid' }
  await assert.rejects(db.insertInto('users').values(user).execute(), refused)
  await assert.rejects(db.selectFrom('users').select('id').where('email', '=', '\u0000').execute(), refused)
  for (const text of ['\u0000', '\ud800', '\udc00x']) {
    const event = { id: newId(), type: 'x', payload: JSON.stringify({ text }) }
    await assert.rejects(db.insertInto('events').values(event).execute(), refused)
  }
})

const oneEngine = { skip: testEngine === 'embedded' && 'its connection cannot be cut' }

test(
  'a connection that is cut in the middle of a transaction fails that one, and the next is fine',
  oneEngine,
  async () => {
    const cut = transaction(async trx => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      await openTransaction.exit(() => sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db))
      await new Promise(resolve => setTimeout(resolve, 50))
      await sql`select 1`.execute(trx)
    })
    await assert.rejects(cut, { kind: 'unavailable' })
    assert.deepEqual((await sql`select 1 as one`.execute(db)).rows, [{ one: 1 }])
  },
)

test('what a transaction wrote is gone when it throws', async () => {
  const id = newId()
  await assert.rejects(
    transaction(async trx => {
      await trx.insertInto('projections').values({ id }).execute()
      throw new Error('no')
    }),
    /^Error: no$/,
  )
  assert.equal(await db.selectFrom('projections').where('id', '=', id).executeTakeFirst(), undefined)
})

test('a constraint that is checked at the commit fails the transaction', async () => {
  await sql`create table later (id int primary key, other int references later deferrable initially deferred)`.execute(
    db,
  )
  await assert.rejects(
    transaction(trx => sql`insert into later values (1, 2)`.execute(trx)),
    { kind: 'conflict', code: 'reference_broken' },
  )
  assert.deepEqual((await sql`select * from later`.execute(db)).rows, [])
})

test('a query around its own transaction is reported instead of waiting for itself', async () => {
  await assert.rejects(
    transaction(async () => {
      await db.selectFrom('users').select('id').execute()
    }),
    /every query goes through its trx/,
  )
  // what a transaction started but did not wait for may query once it has ended
  let later: Promise<unknown> = Promise.resolve()
  await transaction(async trx => {
    await trx.selectFrom('users').select('id').execute()
    later = new Promise(resolve => setTimeout(resolve, 20)).then(() =>
      db.selectFrom('users').select('id').execute(),
    )
  })
  await later
})

test('transactions and queries that ask at the same time all get their turn', async () => {
  const id = newId()
  await db.insertInto('settings').values({ name: id, value: '0' }).execute()
  const increment = () =>
    transaction(async trx => {
      const row = await trx
        .selectFrom('settings')
        .select('value')
        .where('name', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      await trx
        .updateTable('settings')
        .set({ value: JSON.stringify(Number(row.value) + 1) })
        .where('name', '=', id)
        .execute()
    })
  const read = () =>
    db.selectFrom('settings').select('value').where('name', '=', id).executeTakeFirstOrThrow()
  await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? increment() : read())))
  assert.equal((await read()).value, 20)
})

test('timers are not starved by a loop of queries', async () => {
  let ticks = 0
  const timer = setInterval(() => {
    ticks += 1
  }, 1)
  for (let time = 0; time < 200; time += 1) await sql`select 1`.execute(db)
  clearInterval(timer)
  assert.ok(ticks > 0)
})

test('a server that cannot be used is named, without its password', async () => {
  await assert.rejects(
    postgresDatabase('postgres://me:hush@127.0.0.1:1/docs', 2, createLog('silent')),
    error => {
      assert.ok(error instanceof Failure)
      assert.match(error.message, /127\.0\.0\.1:1\/docs.*ECONNREFUSED/)
      assert.ok(!error.message.includes('hush'))
      return true
    },
  )
})
