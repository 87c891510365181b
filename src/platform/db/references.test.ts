// A deleted row is looked up in every table that refers to it, so each such column has an index.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'

const { db } = await openTestDatabase()

// Other tests make tables of their own.
const schema = readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8')
const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, name]) => name)
// Nothing deletes them.
const KEPT = ['users', 'organizations']

test('every reference to what can be deleted has an index', async () => {
  const { rows } = await sql<{ reference: string }>`
    select reference.conname as reference from pg_constraint as reference
    where reference.contype = 'f' and reference.conrelid = any(${tables}::regclass[])
      and not reference.confrelid = any(${KEPT}::regclass[])
      and not exists (
        select from pg_index as one where one.indrelid = reference.conrelid
          -- of several columns, the last is the id, which says enough
          and (one.indkey[0] = reference.conkey[cardinality(reference.conkey)]
            or (one.indkey::int2[])[0:cardinality(reference.conkey) - 1] @> reference.conkey)
          and (one.indpred is null or exists (
            select from pg_attribute as of where of.attrelid = reference.conrelid and of.attnum = any(reference.conkey)
              and pg_get_expr(one.indpred, one.indrelid) = format('(%I IS NOT NULL)', of.attname))))`.execute(
    db,
  )
  assert.deepEqual(
    rows.map(({ reference }) => reference),
    [],
  )
})
