// Live rows of an older way are made again, whatever is in them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { findSpace } from '../spaces/rows.ts'
import { rebuildLinks } from './rebuild-links.ts'

const w = await world()
const { db } = w.services

const files = {
  'a.md': '# A\n\n[b](b.md#gone) [b](b.md)\n\n{% include ".gitbook/includes/note.md" %}\n',
  'b.md': '# B\n\n## There\n',
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\n[a](../../a.md)\n',
}

const projectionOf = async (id: string) => (await findSpace(db, id))?.projection_id ?? assert.fail('no space')

/** As they were before places and links of reusable contents were kept. */
async function makeOld(projection: string): Promise<void> {
  await db.deleteFrom('live_anchors').where('projection_id', '=', projection).execute()
  const links = db.deleteFrom('live_links').where('projection_id', '=', projection)
  await links.where('usage', '=', 'include').execute()
  await db.updateTable('live_links').set({ place: null }).where('projection_id', '=', projection).execute()
  await db.updateTable('projections').set({ making: 0 }).where('id', '=', projection).execute()
}

const brokenIn = async (id: string): Promise<number> =>
  (await w.call('GET', `/spaces/${id}/links`)).body.stats.broken.total

test('the rows of a space are made again, also where they are shared, and only once', async () => {
  const id = await spaceWith(w, files)
  await makeOld(await projectionOf(id))
  assert.equal(await brokenIn(id), 0, 'nothing is called broken that is not known to be')
  // A job gives the duplicate rows of its own, which may be before these or after.
  const { body: copy } = await w.call('POST', `/spaces/${id}/duplicate`)
  assert.ok((await rebuildLinks(w.services)) >= 1)
  for (const space of [id, copy.id]) {
    await assertLiveRows(w.services, space)
    assert.equal(await brokenIn(space), 1)
  }
  assert.equal(await rebuildLinks(w.services), 0)
})

test('a space that is written to before its rows are made again keeps them right', async () => {
  const id = await spaceWith(w, files)
  await makeOld(await projectionOf(id))
  await publishFiles(w, id, { ...files, 'b.md': '# B\n\n## Gone\n' })
  await rebuildLinks(w.services)
  await assertLiveRows(w.services, id)
  assert.equal(await brokenIn(id), 0)
})
