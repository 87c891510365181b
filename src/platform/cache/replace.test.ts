import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { createInvalidatingCache, type InvalidatingCache } from './cache.ts'

type Value = { readonly version: number }

const { transaction, changes } = await openTestDatabase()
const KEY = 'key'
const OLD: Value = { version: 1 }
const NEXT: Value = { version: 2 }
const LOADED: Value = { version: 3 }
const idsOf = () => ['row']

let cache: InvalidatingCache<Value>
beforeEach(async () => {
  cache = createInvalidatingCache<Value>(changes, 10_000)
  await cache.get(KEY, async () => OLD, idsOf)
})

const get = () => cache.get(KEY, async () => LOADED, idsOf)

/** A transaction that writes the row, as triggers collect its id, and makes `NEXT` of the cached value. */
const write = (meanwhile = () => {}, changed = 'row') =>
  transaction(async trx => {
    await sql`select set_config('octavo.changed', ${changed}, true)`.execute(trx)
    cache.replace(KEY, OLD, NEXT, idsOf)
    meanwhile()
  })

test('what a transaction makes of a value is cached when it commits', async () => {
  await write()
  assert.equal(await get(), NEXT)
  changes.touch(new Set(['row']))
  assert.equal(await get(), LOADED)
})

test('what a transaction makes of a value is not cached if something else changes the value meanwhile', async () => {
  await write(() => changes.touch(new Set(['row'])))
  assert.equal(await get(), LOADED)
})

test('what a transaction makes of a value is not cached if it made it of another one', async () => {
  changes.touch(new Set(['row']))
  await get()
  await write()
  assert.equal(await get(), LOADED)
})

test('what a transaction makes of a value is not cached if it is unknown what it wrote', async () => {
  await write(() => {}, 'row *')
  assert.equal(await get(), LOADED)
})

test('a rollback leaves the cached value', async () => {
  await assert.rejects(
    write(() => {
      throw new Error('no')
    }),
  )
  assert.equal(await get(), OLD)
})
