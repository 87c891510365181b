// Every column of the schema is decided on: what erasing and exporting a person do to it, or that it holds nothing of a
// person. A column that is added fails here until somebody decides.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { listOwnedColumns } from '../../src/api/people/rows.ts'
import { OTHER_COLUMNS, SECTIONS } from '../../src/api/people/sections.ts'
import { newTestDatabase } from '../support/database.ts'
import { IMPERSONAL } from './impersonal-columns.ts'

const database = await newTestDatabase()
after(() => database.close())
const { db } = database

const sections = new Map(SECTIONS.map(section => [`${section.table}.${section.by}`, section]))

test('what erasing and exporting a person do is decided for every column', async () => {
  const { rows } = await sql<{ column: string }>`
    select table_name || '.' || column_name as column from information_schema.columns
    where table_schema = current_schema()`.execute(db)
  const schema = rows.map(({ column }) => column)
  const impersonal = Object.entries(IMPERSONAL).flatMap(([table, columns]) =>
    columns.split(' ').map(column => `${table}.${column}`),
  )
  const decided = [...sections.keys(), ...Object.keys(OTHER_COLUMNS), ...impersonal]
  assert.deepEqual(
    schema.filter(column => !decided.includes(column)),
    [],
    'is neither in src/api/people/sections.ts nor in test/conformance/impersonal-columns.ts',
  )
  assert.deepEqual(
    decided.filter(column => !schema.includes(column)),
    [],
    'is no column',
  )
  assert.equal(new Set(decided).size, decided.length, 'each is decided once')
})

test('every column that refers to a user is one of a person, and its row goes exactly if its foreign key says so', async () => {
  const { rows } = await sql<{ column: string }>`
    select conrelid::regclass || '.' || attname as column from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and confrelid = 'users'::regclass`.execute(db)
  const owned = (await listOwnedColumns(db)).map(({ table, column }) => `${table}.${column}`)
  for (const { column } of rows) {
    const section = sections.get(column)
    if (owned.includes(column)) assert.equal(section?.fate ?? 'removed', 'removed', column)
    else assert.notEqual(section?.fate, 'removed', column)
    assert.ok(section !== undefined || column in OTHER_COLUMNS, `${column} is of a person`)
  }
  for (const column of owned)
    assert.ok(sections.has(column) || column === 'erasures.user_id', `${column} is exported`)
})

test('what goes with a person is found by an index', async () => {
  for (const { table, column } of await listOwnedColumns(db)) {
    const { rows } = await sql`
      select from pg_index where indrelid = ${table}::regclass and indkey[0] = (
        select attnum from pg_attribute where attrelid = ${table}::regclass and attname = ${column})`.execute(
      db,
    )
    assert.ok(rows.length > 0, `${table}.${column} begins an index`)
  }
})
