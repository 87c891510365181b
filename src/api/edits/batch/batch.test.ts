// The changes of a request as edits of a revision, without a server and a database.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { gitBlobOid } from '../../../base/git-blob.ts'
import { newId } from '../../../base/ids.ts'
import { createCompute } from '../../../compute/compute.ts'
import {
  type Edits,
  type Hash,
  type PageRecord,
  pageKey,
  variableKey,
} from '../../../engines/content/records.ts'
import { memoryStore } from '../../../engines/content/store.ts'
import { applyEdits, EMPTY_ROOT } from '../../../engines/content/trie.ts'
import { Refs } from '../request/prepare.ts'
import type { Change } from '../request/schema.ts'
import { applyChanges, ENTRIES_BESIDE_PAGES_MAX } from './batch.ts'
import type { Base } from './state.ts'

const compute = createCompute()
after(() => compute.end())

const NOW = new Date('2030-01-02T03:04:05Z')

async function revisionOf(edits: Edits = new Map()) {
  const store = memoryStore()
  const empty = await applyEdits(store, EMPTY_ROOT, new Map())
  await store.putMany(empty.objects)
  const { root, objects } = await applyEdits(store, empty.root, edits)
  await store.putMany(objects)
  return { store, root }
}

async function apply({ store, root }: { store: Base['store']; root: Hash }, ...changes: Change[]) {
  const refs = new Refs()
  const prepared = changes.map((change, index) => {
    const id = `id${index}`
    if (change.operation === 'insert_page' && change.ref !== undefined)
      refs.add({ kind: 'page', id, ref: change.ref, index, field: 'ref' })
    return { index, change, id, assets: [], heading: undefined }
  })
  const base: Base = {
    ...{
      compute,
      store,
      root,
      owner: { spaceId: newId(), id: newId() },
      now: NOW,
      author: null,
      baseRevision: null,
    },
    rootOf: async () => undefined,
    spaceUrl: id => `https://octavo.test/s/${id}`,
    findAddresses: async () => new Map(),
    findLeading: async () => [],
    describe: async () => ({ contentType: 'image/png' }),
  }
  return applyChanges(base, { changes: prepared, refs })
}

test('an insertion edits the page, its parent and nothing else', async () => {
  const { edits, documents, changes } = await apply(await revisionOf(), {
    operation: 'insert_page',
    document: { markdown: '# New\n' },
  })
  assert.deepEqual([...edits.keys()].sort(), ['page/id0', 'tree'])
  const { document, ...record } = edits.get(pageKey('id0')) as PageRecord
  assert.deepEqual(record, {
    ...{ type: 'document', title: 'New', slug: 'new', file: 'new.md', parent: null, children: [] },
    oid: gitBlobOid(Buffer.from('# New\n')),
    createdAt: NOW.toISOString(),
    updatedAt: NOW.toISOString(),
  })
  assert.deepEqual(
    documents.map(({ hash }) => hash),
    [document],
  )
  assert.deepEqual(changes, [{ kind: 'page', how: 'created', id: 'id0', ref: undefined }])
})

test('the same changes on the same revision give the same content, whenever they are made again', async () => {
  const revision = await revisionOf()
  const changes: Change[] = [
    { operation: 'insert_page', document: { markdown: '# A\n\n[b](./b.md)\n' }, ref: 'a' },
    { operation: 'insert_page', document: { markdown: '# B\n\n[a](./a.md)\n' }, ref: 'b' },
  ]
  const roots = new Set<Hash>()
  for (let turn = 0; turn < 3; turn += 1) {
    const { edits } = await apply(revision, ...changes)
    roots.add((await applyEdits(revision.store, revision.root, edits)).root)
  }
  assert.equal(roots.size, 1)
})

test('files, reusable contents and variables of a space are bounded together', async () => {
  const full = Array.from({ length: ENTRIES_BESIDE_PAGES_MAX }, (_, n) => [variableKey(`v${n}`), n] as const)
  const revision = await revisionOf(new Map(full))
  await assert.rejects(apply(revision, { operation: 'update_variables', variables: { one: 1 } }), {
    code: 'too_many_entries',
  })
  await apply(revision, { operation: 'update_variables', variables: { one: 1, v0: null } })
  await apply(revision, { operation: 'update_variables', variables: { v0: 2 } })
})

test('a ref that is the slug or the id of a page of the content is refused', async () => {
  const page = {
    type: 'document',
    title: 'Taken',
    slug: 'taken',
    parent: null,
    children: [],
    document: null,
  } as const
  const revision = await revisionOf(
    new Map<string, unknown>([
      [pageKey('page1'), page],
      ['tree', { children: ['page1'] }],
    ]) as Edits,
  )
  const insert = (ref: string) =>
    apply(revision, { operation: 'insert_page', title: 'New', document: {}, ref })
  await assert.rejects(insert('taken'), /changes\.0\.ref: "taken" is a page of this content already/)
  await assert.rejects(insert('page1'), /changes\.0\.ref: "page1" is a page of this content already/)
  assert.ok((await insert('free')).edits.has(pageKey('id0')))
})
