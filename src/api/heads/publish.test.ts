// Revisions within the history of a space, and beside it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import { findSpace, type SpaceRow } from '../spaces/rows.ts'
import { keepRevision, publish } from './publish.ts'

const w = await world()
const FILES = { 'README.md': '# Start\n' }

type Listed = { count: number; items: { id: string }[] }
const historyOf = async (id: string): Promise<Listed> => (await w.call('GET', `/spaces/${id}/revisions`)).body

test('a revision that is only kept is read by its id, moves no head and is in no history', async () => {
  const id = await spaceWith(w, FILES)
  const before = await historyOf(id)
  const head = await w.services.db
    .selectFrom('spaces')
    .innerJoin('revisions', 'revisions.id', 'spaces.revision_id')
    .select(['revisions.id', 'root_hash'])
    .where('spaces.id', '=', id)
    .executeTakeFirstOrThrow()
  const { revision } = await keepRevision(w.services, {
    spaceId: id,
    base: { revisionId: head.id, root: head.root_hash.toString('hex') },
    type: 'edits',
    createdBy: w.people.admin.id,
    edits: new Map([['variable/preview', true]]),
    documents: [],
  })
  assert.equal(revision.is_standalone, true)
  const { status, body } = await w.call('GET', `/spaces/${id}/revisions/${revision.id}`)
  assert.deepEqual([status, body.variables], [200, { preview: true }])
  assert.equal((await w.call('GET', `/spaces/${id}`)).body.revision, head.id)
  assert.deepEqual(await historyOf(id), before)
})

test('revisions of a change request are read by their ids and are not in the history of the space', async () => {
  const id = await spaceWith(w, FILES)
  const before = await historyOf(id)
  const { id: changeRequest } = await changeRequestWith(w, id, { 'README.md': '# Proposed\n' })
  const { revision } = (await w.call('GET', `/spaces/${id}/change-requests/${changeRequest}`)).body
  const { body } = await w.call('GET', `/spaces/${id}/revisions/${revision}`)
  assert.equal(body.pages[0].title, 'Proposed')
  const after = await historyOf(id)
  assert.deepEqual(after, before)
  assert.ok(!after.items.some(item => item.id === revision))
})

for (const [count, ahead] of [
  [600, 600],
  [10, 0],
] as const) {
  test(`of ${count} documents ${ahead} are written ahead of the transaction that publishes them`, async () => {
    const id = await spaceWith(w, FILES)
    const { revision_id, root_hash } = (await findSpace(w.services.db, id)) as SpaceRow
    const documents = Array.from({ length: count }, (_, at) => encodeDocument(Buffer.from(`${id} ${at}`)))
    let before = 0
    await publish(w.services, {
      spaceId: id,
      base: { revisionId: revision_id, root: root_hash.toString('hex') },
      type: 'edits',
      createdBy: w.people.admin.id,
      edits: new Map([['variable/a', true]]),
      documents,
      before: async trx => {
        const hashes = documents.map(({ hash }) => Buffer.from(hash, 'hex'))
        before = (await trx.selectFrom('objects').select('hash').where('hash', 'in', hashes).execute()).length
      },
    })
    assert.equal(before, ahead)
    assert.equal((await w.services.objects.hasMany(documents.map(({ hash }) => hash))).size, count)
  })
}

test('the first documents of a large import are written while the last one is read', async () => {
  const { id } = await w.createSpace()
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}.md`, `# ${id} ${at}\n`]))
  const hashes = Object.values(files).map(text => Buffer.from(encodeDocument(Buffer.from(text)).hash, 'hex'))
  const countKnown = async () =>
    (
      await w.services.db
        .selectFrom('document_words')
        .select('document_hash')
        .where('document_hash', 'in', hashes)
        .execute()
    ).length
  const { run } = w.services.compute
  let read = 0
  const compute: typeof w.services.compute = {
    ...w.services.compute,
    async run(...task) {
      if (task[0] === 'pageProjection' && ++read === 60) while ((await countKnown()) === 0) await sleep(10)
      return run(...task)
    },
  }
  await publishFiles({ ...w, services: { ...w.services, compute } }, id, files)
  assert.deepEqual([read, await countKnown()], [60, 60])
})
