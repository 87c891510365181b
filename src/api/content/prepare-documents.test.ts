// What a change request wrote is parsed once: before it is merged, if there is time, and never again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import type { Services } from '../../http/context.ts'
import { findChangeRequest } from '../change-requests/rows.ts'
import { findSpace } from '../spaces/rows.ts'
import { knownIn, ReadDocuments } from './document-rows.ts'
import { prepareDocuments } from './prepare-documents.ts'
import { prepareProjection } from './projections.ts'

const w = await world()
const { db, objects } = w.services

const filesOf = (count: number, word: string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, page) => [
      `p${page}.md`,
      `# P${page}\n\n${word} [next](p${page + 1}.md)\n`,
    ]),
  )

/** How many tasks it takes to know what a merge of the change request has to write. */
async function countTasks(spaceId: string, changeRequestId: string): Promise<number> {
  let tasks = 0
  const compute: Services['compute'] = {
    ...w.services.compute,
    run: (...task) => {
      tasks += 1
      return w.services.compute.run(...task)
    },
  }
  const space = (await findSpace(db, spaceId)) ?? assert.fail('no space')
  const changeRequest = (await findChangeRequest(db, changeRequestId)) ?? assert.fail('no change request')
  const [before, after] = [space, changeRequest].map(row => row.root_hash.toString('hex'))
  const read = new ReadDocuments()
  await prepareProjection({ compute }, objects, spaceId, before as string, after as string, knownIn(db), read)
  return tasks
}

for (const pages of [10, 40])
  test(`of ${pages} pages that were prepared none is parsed by the merge`, async () => {
    const space = await spaceWith(w, filesOf(pages, `before ${pages}`))
    const { id, number } = await changeRequestWith(w, space, filesOf(pages, `after ${pages}`))
    assert.equal(await countTasks(space, id), pages)
    await prepareDocuments(w.services, id)
    assert.equal(await countTasks(space, id), 0)
    const { status } = await w.call('POST', `/spaces/${space}/change-requests/${number}/merge`, { body: {} })
    assert.equal(status, 200)
    await assertLiveRows(w.services, space)
  })

test('the rows of a document are written in one transaction, never a part of them', async () => {
  const space = await spaceWith(w, filesOf(10, 'in part'))
  const { id } = await changeRequestWith(w, space, filesOf(10, 'in whole'))
  let transactions = 0
  const { transaction } = w.services
  await prepareDocuments(
    {
      ...w.services,
      transaction(run) {
        transactions += 1
        return transaction(run)
      },
    },
    id,
  )
  assert.equal(transactions, 1)
  assert.equal(await countTasks(space, id), 0)
})

test('what was edited since is parsed, and nothing else; another space that merges the same parses nothing', async () => {
  const [space, other] = [await spaceWith(w, filesOf(5, 'x')), await spaceWith(w, filesOf(5, 'x'))]
  const { id } = await changeRequestWith(w, space, filesOf(5, 'prepared'))
  await prepareDocuments(w.services, id)
  const { id: later } = await changeRequestWith(w, space, {
    ...filesOf(5, 'prepared'),
    'p4.md': '# Text of this test alone\n',
  })
  assert.equal(await countTasks(space, later), 1)
  const { id: same } = await changeRequestWith(w, other, filesOf(5, 'prepared'))
  assert.equal(await countTasks(other, same), 0)
})

test('links that were kept by another version of the program are made again', async () => {
  const space = await spaceWith(w, filesOf(3, 'y'))
  const { id } = await changeRequestWith(w, space, filesOf(3, 'of another version'))
  await prepareDocuments(w.services, id)
  await db.updateTable('document_links').set({ making: 0 }).execute()
  assert.equal(await countTasks(space, id), 3)
  await prepareDocuments(w.services, id)
  assert.equal(await countTasks(space, id), 0)
})
