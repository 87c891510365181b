// Finding candidates reads what there is once, whatever PostgreSQL believes about it: right after an import its statistics
// are those of what was there before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { visitsOf } from '../../../test/support/visits.ts'
import { newId } from '../../base/ids.ts'
import type { Db } from '../../platform/db/database.ts'
import { findWithAll, findWithAny } from './candidates.ts'

const { db } = await openTestDatabase()
const PAGES = 2_000
const [owner, small] = [newId(), newId()]

async function insertPages(projectionId: string, from: number, to: number): Promise<void> {
  await sql`insert into document_words (document_hash, words, making)
    select sha256(convert_to('page ' || n, 'UTF8')), to_tsvector('simple', 'usual words of page ' || n), 1
    from generate_series(${from}::int, ${to}::int) n`.execute(db)
  await sql`insert into live_pages (projection_id, page_id, type, title, description, path, title_tsv, hidden, no_index, document_hash)
    select ${projectionId}, 'p' || n, 'document', 'Page ' || n, '', 'page-' || n, to_tsvector('simple', 'page ' || n), false,
      false, sha256(convert_to('page ' || n, 'UTF8'))
    from generate_series(${from}::int, ${to}::int) n`.execute(db)
}

// As it is after the first small space: all rows are of one projection, so another one seems to have none.
await db
  .insertInto('projections')
  .values([{ id: owner }, { id: small }])
  .execute()
await insertPages(small, 1, 40)
await sql`analyze document_words, live_pages`.execute(db)
await insertPages(owner, 41, PAGES)

const WORDS = ['usual', 'words'].map(word => ({ forms: `'${word}'`, alike: `'${word.slice(0, 3)}':*` }))
const QUERIES: Record<string, (at: Db) => Promise<unknown>> = {
  'pages with all words': at => findWithAll(at, [owner], WORDS),
  'pages with any word': at => findWithAny(at, [owner], WORDS),
}

for (const statistics of ['of a smaller space', 'of what is there']) {
  test(`no row is visited again for each other row, with statistics ${statistics}`, async () => {
    if (statistics === 'of what is there') await sql`analyze document_words, live_pages`.execute(db)
    for (const [name, run] of Object.entries(QUERIES)) {
      const visits = await visitsOf(db, run)
      assert.ok(visits < 20 * PAGES, `${name}: ${visits} visits of rows for ${PAGES} pages`)
    }
  })
}
