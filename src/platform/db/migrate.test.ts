import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { sha256 } from '../../base/canonical.ts'
import { type Migration, migrate, readMigrations } from './migrate.ts'

const database = await openTestDatabase()
const { db } = database
const own = readMigrations()

const migration = (name: string, text: string, isBreaking = false): Migration => ({
  name,
  sql: text,
  checksum: sha256(text),
  isBreaking,
})
const columnsOf = async (table: string) =>
  (
    await sql<{
      name: string
    }>`select attname as name from pg_attribute where attrelid = to_regclass(${table}) and attnum > 0`.execute(
      db,
    )
  ).rows.map(row => row.name)

test('the migrations of the project are numbered without a gap', () => {
  assert.deepEqual(
    own.map(({ name }) => Number(name.slice(0, 4))),
    own.map((_, index) => index + 1),
  )
})

test('a migrated database needs nothing, and one query says so', async () => {
  assert.deepEqual(await migrate(database), [])
})

test('what is missing is applied in order, each in a transaction of its own', async () => {
  const next = [
    ...own,
    migration('9001_one', 'create table m1 (a int); create table m2 (b int)'),
    migration('9002_two', 'alter table m1 add b int; insert into m2 values (1)'),
  ]
  assert.deepEqual(await migrate(database, next), ['9001_one', '9002_two'])
  assert.deepEqual(await columnsOf('m1'), ['a', 'b'])
  assert.deepEqual(await migrate(database, next), [])
})

test('a migration that fails leaves nothing of itself, and what came before it stays', async () => {
  const known = [
    ...own,
    migration('9001_one', 'create table m1 (a int); create table m2 (b int)'),
    migration('9002_two', 'alter table m1 add b int; insert into m2 values (1)'),
  ]
  const next = [
    ...known,
    migration('9003_three', 'create table m3 (a int)'),
    migration('9004_four', 'create table m4 (a int); select 1 / 0'),
  ]
  await assert.rejects(migrate(database, next), /division by zero/)
  assert.deepEqual(await columnsOf('m3'), ['a'])
  assert.deepEqual(await columnsOf('m4'), [])
  // the lock was given back
  assert.deepEqual(await migrate(database, next.slice(0, -1)), [])
})

test('a migration that was edited after it was applied is refused', async () => {
  const edited = own.map((one, index) => (index === 0 ? { ...one, checksum: sha256('edited') } : one))
  await assert.rejects(migrate(database, edited), {
    kind: 'precondition',
    code: 'migration_edited',
    message: /0001_/,
  })
})

test('an older program starts on a newer database unless a migration broke with it', async () => {
  assert.deepEqual(await migrate(database, own), [])
  await migrate(database, [...own, migration('9005_break', '-- breaking: m1 is gone\ndrop table m1', true)])
  await assert.rejects(migrate(database, own), {
    kind: 'precondition',
    code: 'database_newer',
    message: /9005_break/,
  })
  await sql`delete from migrations where name = '9005_break'`.execute(db)
})

test('two processes that start together migrate once', async () => {
  const next = [...own, migration('9006_once', 'create table m6 (a int); select pg_sleep(0.05)')]
  const applied = await Promise.all([migrate(database, next), migrate(database, next)])
  assert.deepEqual(applied.flat(), ['9006_once'])
})
