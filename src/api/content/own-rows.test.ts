// A space that shares its live rows gets its own in portions, whatever their number.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KyselyPlugin, sql } from 'kysely'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { findSpace } from '../spaces/rows.ts'
import { removeUnusedRows, takeOwnRows } from './own-rows.ts'

const w = await world()
const { db } = w.services

const rowsOf = async (space: string) => (await findSpace(db, space))?.projection_id ?? assert.fail('no space')
const duplicateOf = async (space: string): Promise<string> =>
  (await w.call('POST', `/spaces/${space}/duplicate`)).body.id

const filesOf = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, page) => [
      `p${page}.md`,
      `# P${page}\n\n[next](p${page + 1}.md)\n\n## A\n`,
    ]),
  )

/** Sizes of the portions in which a space copies the rows that it shares. */
async function portionsOf(space: string): Promise<number[]> {
  const portions: number[] = []
  const listen: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      for (const { last, count } of result.rows) if (last !== undefined) portions.push(Number(count))
      return result
    },
  }
  await takeOwnRows({ ...w.services, db: db.withPlugin(listen) }, space)
  return portions
}

for (const [links, portions] of [
  [400, [400]],
  [1_600, [500, 500, 500, 100]],
] as const)
  test(`${links} links are copied by ${portions.length} statements`, async () => {
    const rows = await rowsOf((await w.createSpace()).id)
    await sql`insert into live_links (projection_id, from_id, ordinal, kind, relation, destination)
      select ${rows}, (number / 7)::text, number % 7, 'url', 'reference', number::text
      from generate_series(1, ${links}::integer) as number`.execute(db)
    const { id } = await w.createSpace()
    await db.updateTable('spaces').set({ projection_id: rows }).where('id', '=', id).execute()
    assert.deepEqual(
      (await portionsOf(id)).filter(count => count >= 100),
      portions,
    )
    const own = await rowsOf(id)
    assert.notEqual(own, rows)
    const { rows: counts } = await sql<{ count: number }>`select count(distinct destination)::integer as count
      from live_links where projection_id = any(${[rows, own]}::text[]) group by projection_id`.execute(db)
    assert.deepEqual(counts, [{ count: links }, { count: links }])
  })

test('a duplicate that is written before it has its own rows gets them, and the origin keeps what it has', async () => {
  const origin = await spaceWith(w, filesOf(3))
  const copy = await duplicateOf(origin)
  await publishFiles(w, copy, { 'p0.md': '# Other\n' })
  for (const space of [origin, copy]) await assertLiveRows(w.services, space)
})

test('rows that no space reads any more are removed, and no others', async () => {
  const origin = await spaceWith(w, filesOf(3))
  const copy = await duplicateOf(origin)
  await takeOwnRows(w.services, copy)
  const rows = await rowsOf(copy)
  await db.deleteFrom('spaces').where('id', '=', copy).execute()
  await sql`update projections set unused_since = unused_since - interval '1 day' where id = ${rows}`.execute(
    db,
  )
  await removeUnusedRows(w.services)
  for (const table of ['live_pages', 'live_links', 'live_paths', 'live_anchors'] as const) {
    const left = await db
      .selectFrom(table)
      .select('projection_id')
      .where('projection_id', '=', rows)
      .execute()
    assert.deepEqual(left, [])
  }
  await assertLiveRows(w.services, origin)
})
