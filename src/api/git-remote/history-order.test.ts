import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { world } from '../../../test/support/world.ts'
import { readHistory } from './rows.ts'

const w = await world()

test('where the clock was set back, revisions stand behind what they follow, in the history and for git', async () => {
  const { id } = await w.createSpace({ title: 'Clock' })
  const write = async (title: string): Promise<string> =>
    (
      await w.call('POST', `/spaces/${id}/content?compat=false`, {
        body: { changes: [{ operation: 'insert_page', title, document: { markdown: title } }] },
      })
    ).body.revision
  await write('One')
  // As if an hour had been taken back since then.
  await sql`update revisions set created_at = created_at + interval '1 hour' where space_id = ${id}`.execute(
    w.services.db,
  )
  for (const title of ['Two', 'Three', 'Four', 'Five']) await write(title)
  const { body } = await w.call('GET', `/spaces/${id}/revisions`)
  const newestFirst: { readonly id: string; readonly parents: readonly string[] }[] = body.items
  assert.equal(newestFirst.length, 6)
  for (const [index, { parents }] of newestFirst.slice(0, -1).entries())
    assert.deepEqual(parents, [newestFirst[index + 1]?.id])
  const head = newestFirst[0]?.id ?? ''
  const oldestFirst = [...(await readHistory(w.services.db, id, [head], () => false)).keys()]
  assert.deepEqual(oldestFirst, newestFirst.map(one => one.id).reverse())
})
