// Links are read at one moment, whatever head the caller was admitted with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { findChangeRequest } from '../change-requests/rows.ts'
import type { ContentAt } from '../content/place.ts'
import { findSpace } from '../spaces/rows.ts'
import { findLinks } from './reads.ts'

const w = await world()
const { services } = w

const nothing = async () => []

async function placeOf(spaceId: string, changeRequestId: string): Promise<ContentAt> {
  const space = (await findSpace(services.db, spaceId)) ?? assert.fail('no space')
  const changeRequest =
    (await findChangeRequest(services.db, changeRequestId)) ?? assert.fail('no change request')
  const { revision_id: revisionId, root_hash } = changeRequest
  const root = root_hash.toString('hex')
  return { space, revisionId, root, isMember: true, role: 'admin', sight: 'published', changeRequest }
}

test('a head that moved since the caller was admitted changes nothing in what a change request says', async () => {
  const id = await spaceWith(w, { 'a.md': '[b](b.md) [c](c.md)\n', 'b.md': '# B\n' })
  const changeRequest = await changeRequestWith(w, id, { 'a.md': '[b](b.md) [c](c.md) [d](d.md)\n' })
  const admitted = await placeOf(id, changeRequest.id)
  await publishFiles(w, id, { 'a.md': '[b](b.md)\n\n[e](e.md)\n', 'b.md': '# B\n', 'x.md': '[y](y.md)\n' })
  const stale = await findLinks(services, admitted, undefined, {}, nothing)
  assert.deepEqual(
    stale,
    await findLinks(services, await placeOf(id, changeRequest.id), undefined, {}, nothing),
  )
  assert.deepEqual(
    stale.found.items.map(({ destination }) => destination),
    ['b.md', 'c.md', 'd.md'],
  )
  assert.deepEqual(stale.counts, { total: 3, broken: 3, newly_broken: 2, mended: 0 })
})

test('the live rows of a new head are not taken for those of the old one', async () => {
  const id = await spaceWith(w, { 'a.md': '[b](b.md)\n', 'b.md': '# B\n' })
  const changeRequest = await changeRequestWith(w, id, { 'a.md': '[b](b.md)\n', 'b.md': '# B\n' })
  const admitted = await placeOf(id, changeRequest.id)
  await publishFiles(w, id, { 'a.md': '# Nothing\n' })
  const { counts } = await findLinks(services, admitted, undefined, {}, nothing)
  assert.deepEqual(counts, { total: 1, broken: 0, newly_broken: 0, mended: 0 })
})
