import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { newId } from '../../base/ids.ts'
import type { FormerPath } from './link-changes.ts'
import { GONE_PATHS_MAX, writeLinkChanges } from './written-links.ts'

const { db } = await openTestDatabase()
const NOTHING = { relinked: [], links: [], anchors: [], gonePaths: [], paths: [], gone: [] }

const goneAt = (file: string, id: string): FormerPath => ({ file, kind: 'page', id, record: '{}', path: '' })

test('for each path its last content is kept, and of all paths the newest', async () => {
  const owner = newId()
  await db.insertInto('projections').values({ id: owner }).execute()
  await sql`insert into gone_paths (projection_id, file, kind, id, record, gone_at)
    select ${owner}, 'old-' || n || '.md', 'page', 'old', '{}', now() - make_interval(secs => n)
    from generate_series(1, ${GONE_PATHS_MAX + 100}::int) n`.execute(db)
  const leave = (...gone: FormerPath[]) =>
    db.transaction().execute(trx => writeLinkChanges(trx, owner, { ...NOTHING, gone }))
  await leave(goneAt('a.md', 'first'), goneAt('b.md', 'b'))
  await leave(goneAt('a.md', 'second'))
  const { rows } = await sql<{ file: string; id: string }>`
    select file, id from gone_paths where projection_id = ${owner}`.execute(db)
  const idAt = new Map(rows.map(({ file, id }) => [file, id]))
  assert.deepEqual([idAt.get('a.md'), idAt.get('b.md')], ['second', 'b'])
  assert.equal(rows.length, GONE_PATHS_MAX)
  assert.deepEqual([idAt.has('old-1.md'), idAt.has(`old-${GONE_PATHS_MAX + 100}.md`)], [true, false])
})
