// After an import PostgreSQL knows what is there, on both engines: its plans are made from statistics.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { file, importWorld } from '../../../test/support/imports.ts'
import { refreshStatistics } from '../../platform/db/upkeep.ts'

const PAGES = 400
const LOOKS_MAX = 300
const LIVE_TABLES = ['live_pages', 'live_paths', 'live_links', 'sections', 'objects'] as const

const w = await importWorld()
const { db } = w.services

const believedRows = async (table: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select reltuples::int as n from pg_class where oid = ${table}::regclass`.execute(db)
  return rows[0]?.n ?? Number.NaN
}

// What statistics may be away from the truth, as upkeep.ts has it: the tests before this one have left rows as well.
const toleratedRows = (count: number): number => 50 + count / 10

const countRows = async (table: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db)
  return rows[0]?.n ?? Number.NaN
}

test('the statistics of the live rows are true once upkeep has looked after an import', async () => {
  const page = (n: number) => file(`page-${n}.md`, `# Page ${n}\n\nTo [the next](page-${n + 1}.md).\n`)
  const repository = await w.repository(Array.from({ length: PAGES }, (_, n) => page(n)))
  const space = await w.createSpace()
  assert.equal((await w.import(space, repository)).state, 'success')
  for (const table of LIVE_TABLES) {
    const count = await countRows(table)
    assert.ok(count >= PAGES, `${count} rows in ${table}`)
    // A session may keep to itself for some ten seconds what it has changed.
    for (let look = 0; Math.abs((await believedRows(table)) - count) > toleratedRows(count); look += 1) {
      assert.ok(
        look < LOOKS_MAX,
        `PostgreSQL believes in ${await believedRows(table)} of ${count} rows of ${table}`,
      )
      await refreshStatistics(db)
      await sleep(100)
    }
  }
  const { rows } = await sql<{ projections: number }>`
    select array_length(most_common_vals::text::text[], 1) as projections from pg_stats
    where tablename = 'live_pages' and attname = 'projection_id'`.execute(db)
  assert.ok((rows[0]?.projections ?? 0) >= 1, 'the space is known to have many pages')
})
