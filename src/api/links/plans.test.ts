// The queries over links read what there is once, whatever PostgreSQL believes about it: right after an import its
// statistics are those of what was there before, and every join of what a query has made itself is planned by a guess.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { visitsOf } from '../../../test/support/visits.ts'
import { newId } from '../../base/ids.ts'
import type { Db } from '../../platform/db/database.ts'
import { countLinks, findGonePaths, type LinkSource, listLinkingPages, listLinks } from './rows.ts'

const { db } = await openTestDatabase()
const PAGES = 1_000
const owner = newId()

// As it is after the first small space: all rows are of one projection, so another one seems to have none.
const small = newId()
await db
  .insertInto('projections')
  .values([{ id: owner }, { id: small }])
  .execute()
await sql`insert into live_paths (projection_id, file, kind, id)
  select ${small}, 'page-' || n || '.md', 'page', 'p' || n from generate_series(1, 40) n`.execute(db)
await sql`insert into live_links (projection_id, from_id, ordinal, kind, relation, destination, candidates)
  select ${small}, 'p' || n, 0, 'path', 'reference', '', array['gone.md'] from generate_series(1, 40) n`.execute(
  db,
)
await sql`analyze live_links, live_paths, live_anchors, gone_paths`.execute(db)
await sql`insert into live_paths (projection_id, file, kind, id)
  select ${owner}, 'page-' || n || '.md', 'page', 'p' || n from generate_series(1, ${PAGES}::int) n`.execute(
  db,
)
await sql`insert into live_links (projection_id, from_id, ordinal, kind, relation, destination, candidates, place)
  select ${owner}, 'p' || n, 0, 'path', 'reference', 'page-' || n % 7 || '.md',
    array['gone.md', 'page-' || n + 1 || '.md'], 'place'
  from generate_series(1, ${PAGES}::int) n`.execute(db)
// Every page includes the same, and some of what is there includes something else.
await sql`insert into live_links (projection_id, from_id, ordinal, kind, relation, usage, destination, candidates)
  select ${owner}, 'p' || n, 1, 'path', 'dependsOn', 'include', '', array['note-' || n % 100 || '.md']
  from generate_series(1, ${PAGES}::int) n`.execute(db)
await sql`insert into live_paths (projection_id, file, kind, id)
  select ${owner}, 'note-' || n || '.md', 'reusable-content', 'r' || n from generate_series(0, 99) n`.execute(
  db,
)
await sql`insert into live_anchors (projection_id, id, anchors)
  select projection_id, id, array['one', 'two', 'three'] from live_paths where projection_id = ${owner}`.execute(
  db,
)
await sql`insert into gone_paths (projection_id, file, kind, id, record)
  select ${owner}, 'gone-' || n || '.md', 'page', 'g' || n, '{}' from generate_series(1, ${PAGES}::int) n`.execute(
  db,
)

const head: LinkSource = { owner, changes: null }
// A change request that touches every second page of it.
const touched = Array.from({ length: PAGES / 2 }, (_, index) => `p${2 * index + 1}`)
const changeRequest: LinkSource = {
  owner,
  changes: {
    relinked: touched,
    gonePaths: [],
    gone: [],
    anchors: touched.map(id => ({ id, anchors: ['install'] })),
    paths: touched.map(id => ({ file: `moved-${id}.md`, kind: 'page' as const, id })),
    links: touched.map(from_id => ({
      from_id,
      ordinal: 0,
      kind: 'path' as const,
      relation: 'reference' as const,
      usage: 'link' as const,
      destination: 'page-2.md',
      candidates: ['page-2.md'],
      anchor: 'Setup',
      place: 'setup',
    })),
  },
}
const question = { list: 'test' }
const appUrl = 'http://localhost/s/'
const missing = ['http://localhost/s/x']
const anyLink = { status: undefined, isNewlyBroken: undefined }

const QUERIES: Record<string, (at: Db) => Promise<unknown>> = {
  'the links of a space': at =>
    listLinks(at, { links: head, base: null, appUrl, missing }, anyLink, { question }),
  'the stats of a space': at => countLinks(at, { links: head, base: null, appUrl, missing }),
  'the links of a change request': at =>
    listLinks(at, { links: changeRequest, base: head, appUrl, missing }, anyLink, { question }),
  'the stats of a change request': at =>
    countLinks(at, { links: changeRequest, base: head, appUrl, missing }),
  'what a page of broken links meant': at =>
    findGonePaths(
      at,
      head,
      Array.from({ length: 600 }, (_, n) => `gone-${n}.md`),
    ),
  'the pages that link to a page': at =>
    listLinkingPages(at, changeRequest, { id: 'p2', file: 'page-2.md' }, { question }),
}

for (const statistics of ['of a smaller space', 'of what is there']) {
  test(`no row is visited again for each other row, with statistics ${statistics}`, async () => {
    if (statistics === 'of what is there')
      await sql`analyze live_links, live_paths, live_anchors, gone_paths`.execute(db)
    for (const [name, run] of Object.entries(QUERIES)) {
      const visits = await visitsOf(db, run)
      assert.ok(visits < 20 * PAGES, `${name}: ${visits} visits of rows for ${PAGES} links`)
    }
  })
}
