// Which indexes a search waits for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { EMPTY_ROOT } from '../../engines/content/trie.ts'
import { listAwaited } from './awaited.ts'

const w = await world()
const { db } = w.services
const MIB = 1024 * 1024

/** A space as search knows it, with so many pages of one document. */
async function spaceOf(pages: number, documentBytes: number) {
  const projectionId = newId()
  const hash = Buffer.from(newId().padEnd(32).slice(-32))
  await db.insertInto('projections').values({ id: projectionId }).execute()
  await db
    .insertInto('objects')
    .values({ hash, kind: 'document', body: Buffer.alloc(documentBytes) })
    .execute()
  await sql`insert into live_pages (projection_id, page_id, type, title, description, path, title_tsv, hidden, no_index, document_hash)
    select ${projectionId}, 'p' || n, 'document', 'Page', '', 'page-' || n, to_tsvector('simple', 'page'), false, false, ${hash}
    from generate_series(1, ${pages}::int) n`.execute(db)
  return { id: newId(), root: EMPTY_ROOT, language: 'en', projectionId }
}

const awaited = async (...spaces: Awaited<ReturnType<typeof spaceOf>>[]) =>
  (await listAwaited(w.services, spaces)).length

test('a search waits for spaces that are small together', async () => {
  const [one, other, large] = [await spaceOf(1_500, 10), await spaceOf(500, 10), await spaceOf(2_001, 10)]
  assert.equal(await awaited(one, other), 2)
  assert.equal(await awaited(one, other, await spaceOf(1, 10)), 0)
  assert.equal(await awaited(large), 0)
})

test('a search does not wait for texts that take long to read', async () => {
  assert.equal(await awaited(await spaceOf(15, MIB)), 1)
  assert.equal(await awaited(await spaceOf(17, MIB)), 0)
})

test('a search does not wait for very many spaces', async () => {
  const spaces = await Promise.all(Array.from({ length: 201 }, () => spaceOf(1, 10)))
  assert.equal(await awaited(...spaces.slice(1)), 200)
  assert.equal(await awaited(...spaces), 0)
})
