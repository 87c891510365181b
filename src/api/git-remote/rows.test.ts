import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { world } from '../../../test/support/world.ts'
import { findCommits, insertCommits } from './rows.ts'

test('the commits of any number of revisions are written down, and found again', async () => {
  const w = await world()
  const { db } = w.services
  const space = await w.createSpace()
  // Nine parameters each would be more than 65,535.
  const count = 8_000
  const { rows: revisions } = await sql<{ id: string }>`
    insert into revisions (id, space_id, root_hash, type, parents)
    select id || '-' || n, space_id, root_hash, type, parents from revisions, generate_series(1, ${count}::integer) n
    where id = ${space.revision} returning id`.execute(db)
  const ids = revisions.map(({ id }) => id)
  const author = { author_name: 'Ada', author_email: 'ada@people.test' }
  const toCommit = (revision_id: string, at: number) => ({
    ...{ revision_id, space_id: space.id, oid: `${at}`, message: 'One', ...author },
    ...{ summary_root: Buffer.alloc(32), is_pushed: false, onto: null },
  })
  await insertCommits(db, ids.map(toCommit))
  const others = Array.from({ length: 65_536 }, (_, at) => `none-${at}`)
  assert.equal((await findCommits(db, [...ids, ...others])).length, count)
})
