import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { page, stored } from './content.arbitrary.ts'
import { readReachable } from './reachable.ts'
import { type AnyRecord, type Hash, type Key, pageKey } from './records.ts'
import type { ObjectReads } from './store.ts'
import { applyEdits, diffEntries, EMPTY_ROOT, readAll } from './trie.ts'
import { overlay } from './trie-nodes.ts'

const ids = Array.from({ length: 200 }, (_, i) => `p${i}`)
const entries = new Map<Key, AnyRecord>([
  ['tree', { children: ids }],
  ...ids.map(id => [pageKey(id), page({ slug: id, document: `document of ${id}` })] as const),
  ['page/p0', page({ slug: 'p0', document: null })],
  ['reusable/r', { title: 'R', document: 'document of r', file: 'r.md' }],
  ['variable/v', 'document of nothing'],
  ['git/summary', 'summary'],
  ['git/config', 'config'],
])

const all = async (store: ObjectReads, roots: readonly Hash[]): Promise<Hash[]> => {
  const found: Hash[] = []
  for await (const hash of readReachable(store, roots)) found.push(hash)
  return found
}

describe('what revisions reach', () => {
  it('is every node and every document, each once', async () => {
    const { store, root } = await stored(entries)
    const { root: _, objects } = await applyEdits(store, EMPTY_ROOT, entries)
    const documents = ids.slice(1).map(id => `document of ${id}`)
    const expected = [...objects.map(({ hash }) => hash), ...documents, 'document of r', 'summary', 'config']
    assert.deepEqual((await all(store, [root])).sort(), expected.sort())
    assert.deepEqual(await all(store, [EMPTY_ROOT]), [])
  })

  it('is walked once where revisions share it', async () => {
    const { store, root } = await stored(entries)
    const other = await applyEdits(store, root, new Map([['page/p7', page({ slug: 'p7', document: 'new' })]]))
    await store.putMany(other.objects)
    let reads = 0
    const counting: ObjectReads = {
      getMany: hashes => {
        reads += hashes.length
        return store.getMany(hashes)
      },
    }
    const one = await all(store, [root])
    const both = await all(counting, [root, other.root, root])
    assert.equal(new Set(both).size, both.length)
    assert.equal(both.length, one.length + other.objects.length + 1)
    const { objects } = await applyEdits(store, EMPTY_ROOT, entries)
    assert.equal(reads, objects.length + other.objects.length)
  })
})

describe('an overlay', () => {
  it('reads what was made and not yet put, and the store below it', async () => {
    const { store, root } = await stored(entries)
    const made = await applyEdits(store, root, new Map([['page/p7', null]]))
    const reads = overlay(store, made.objects)
    assert.equal((await readAll(reads, made.root)).size, entries.size - 1)
    assert.deepEqual(
      (await diffEntries(reads, root, made.root)).map(({ key }) => key),
      ['page/p7'],
    )
    const [first] = made.objects
    assert.equal((await reads.getMany([first!.hash, root])).size, 2)
    assert.equal((await store.getMany([first!.hash])).size, 0)
  })
})
