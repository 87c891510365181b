// Whether a head has comments on pages is asked under its lock, so it is found by an index. A database of its own, since
// the plan depends on how few spaces all comments are of.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { newTestDatabase } from '../../../test/support/database.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { serverOn } from '../../../test/support/server.ts'
import { worldOn } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import type { Trx } from '../../platform/db/database.ts'

const database = await newTestDatabase()
const server = await serverOn(database)
const w = await worldOn(server)
after(async () => {
  await server.close()
  await database.close()
})

const COMMENTS_OF_A_HEAD = 1_000
// After five calls plpgsql considers a plan for any arguments.
const CALLS = 10

type Head = { readonly spaceId: string; readonly changeRequestId: string | null }

async function makeHeads(): Promise<Record<'a space' | 'a change request', Head>> {
  const files = { 'README.md': '# Start\n' }
  const spaceId = await spaceWith(w, files)
  const { id } = await changeRequestWith(w, spaceId, files)
  return {
    'a space': { spaceId, changeRequestId: null },
    'a change request': { spaceId, changeRequestId: id },
  }
}

for (let spaces = 0; spaces < 2; spaces += 1)
  for (const { spaceId, changeRequestId } of Object.values(await makeHeads()))
    await sql`insert into comments (id, space_id, change_request_id, revision_id, page_id, body, posted_by)
      select ${newId()} || n, ${spaceId}, ${changeRequestId}, '', 'page', 'Here.', ${w.people.admin.id}
      from generate_series(1, ${COMMENTS_OF_A_HEAD}::int) n`.execute(database.db)
await sql`analyze comments`.execute(database.db)

for (const [name, { spaceId, changeRequestId }] of Object.entries(await makeHeads()))
  test(`whether ${name} has comments on pages is found without reading those of others`, () =>
    w.services.transaction(async trx => {
      const before = await countReadComments(trx)
      for (let call = 0; call < CALLS; call += 1) {
        const { rows } =
          await sql`select has_commented_pages(${spaceId}, ${changeRequestId}) as found`.execute(trx)
        assert.deepEqual(rows, [{ found: false }])
      }
      assert.equal((await countReadComments(trx)) - before, 0)
    }))

/** What the session has read and not reported yet. */
async function countReadComments(trx: Trx): Promise<number> {
  const { rows } = await sql<{ read: number }>`select seq_tup_read + idx_tup_fetch as read
    from pg_stat_xact_user_tables where relname = 'comments'`.execute(trx)
  return rows[0]?.read ?? Number.NaN
}
