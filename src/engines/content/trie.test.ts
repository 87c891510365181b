import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodeNode } from './objects.ts'
import { type AnyRecord, type Edits, type Hash, type Key, type PageRecord, pageKey } from './records.ts'
import { memoryStore, type ObjectStore } from './store.ts'
import {
  applyEdits,
  countEntries,
  diffEntries,
  EMPTY_ROOT,
  readAll,
  readEntries,
  rememberNodes,
} from './trie.ts'

/** A store that counts how it is asked. */
function countingStore() {
  const store = memoryStore()
  const counts = { rounds: 0, reads: 0 }
  const counting: ObjectStore = {
    ...store,
    getMany(hashes) {
      counts.rounds++
      counts.reads += hashes.length
      return store.getMany(hashes)
    },
  }
  const during = async (work: () => Promise<unknown>): Promise<{ rounds: number; reads: number }> => {
    const before = { ...counts }
    await work()
    return { rounds: counts.rounds - before.rounds, reads: counts.reads - before.reads }
  }
  return { store: counting, during }
}

const page = (n: number): PageRecord => ({
  type: 'document',
  title: `Page number ${n}`,
  slug: `page-${n}`,
  parent: null,
  children: [],
  document: n.toString(16).padStart(64, '0'),
})
const pages = (count: number): Map<Key, AnyRecord> =>
  new Map(Array.from({ length: count }, (_, n) => [pageKey(`id${n}`), page(n)]))

async function put(store: ObjectStore, root: Hash, edits: Edits) {
  const made = await applyEdits(store, root, edits)
  await store.putMany(made.objects)
  const bytes = made.objects.reduce((sum, { body }) => sum + body.length, 0)
  return { root: made.root, count: made.objects.length, bytes }
}

describe('the cost of the Merkle map', () => {
  it('is three round trips for a tree of 1,000 pages, and for some pages of it', async () => {
    const { store, during } = countingStore()
    const { root } = await put(store, EMPTY_ROOT, pages(1000))
    assert.equal((await during(() => readAll(store, root))).rounds, 3)
    const some = Array.from({ length: 200 }, (_, n) => pageKey(`id${n * 3}`))
    assert.ok((await during(() => readEntries(store, root, some))).rounds <= 3)
    assert.deepEqual(await during(() => countEntries(store, root)), { rounds: 1, reads: 1 })
  })

  it('is a few small nodes for one page of 10,000', async () => {
    const { store, during } = countingStore()
    const large = await put(store, EMPTY_ROOT, pages(10_000))
    for (const n of [0, 77, 4242, 9999]) {
      const edit = new Map([[pageKey(`id${n}`), { ...page(n), title: 'Changed' }]])
      let changed = large
      const cost = await during(async () => {
        changed = await put(store, large.root, edit)
      })
      assert.ok(cost.rounds <= 4 && cost.reads <= 4, `${cost.rounds} rounds, ${cost.reads} reads`)
      assert.ok(changed.count <= 4 && changed.bytes < 8_000, `${changed.count} nodes, ${changed.bytes} bytes`)
      const compare = await during(() => diffEntries(store, large.root, changed.root))
      assert.ok(compare.rounds <= 4 && compare.reads <= 8)
    }
  })

  it('is one way, not one for each, for edits that share it', async () => {
    const { store, during } = countingStore()
    const { root } = await put(store, EMPTY_ROOT, pages(10_000))
    const edits = new Map(
      Array.from({ length: 100 }, (_, n) => [pageKey(`id${n}`), { ...page(n), title: 'X' }]),
    )
    assert.ok((await during(() => put(store, root, edits))).rounds <= 4)
  })

  it('is nothing for edits that change nothing', async () => {
    const { store } = countingStore()
    const { root } = await put(store, EMPTY_ROOT, pages(1000))
    assert.deepEqual(await applyEdits(store, root, new Map()), { root, objects: [] })
    const same = new Map<Key, AnyRecord | null>([
      [pageKey('id7'), { ...page(7) }],
      [pageKey('absent'), null],
    ])
    assert.deepEqual(await applyEdits(store, root, same), { root, objects: [] })
  })

  it('is nothing for the empty map, which is never fetched nor stored', async () => {
    const { store, during } = countingStore()
    const nothing = await during(async () => {
      assert.equal((await readAll(store, EMPTY_ROOT)).size, 0)
      assert.equal((await readEntries(store, EMPTY_ROOT, ['tree'])).size, 0)
      assert.deepEqual(await countEntries(store, EMPTY_ROOT), { entries: 0, pages: 0 })
      assert.deepEqual(await applyEdits(store, EMPTY_ROOT, new Map([['tree', null]])), {
        root: EMPTY_ROOT,
        objects: [],
      })
    })
    assert.deepEqual(nothing, { rounds: 0, reads: 0 })
    const { root } = await put(store, EMPTY_ROOT, pages(300))
    const emptied = await applyEdits(store, root, new Map([...pages(300).keys()].map(key => [key, null])))
    assert.deepEqual(emptied, { root: EMPTY_ROOT, objects: [] })
  })

  it('is one reading of each node within an operation that remembers them', async () => {
    const { store, during } = countingStore()
    const { root } = await put(store, EMPTY_ROOT, pages(1000))
    const reads = rememberNodes(store)
    const first = await during(() => readAll(reads, root))
    assert.equal(first.rounds, 3)
    const again = await during(async () => {
      await readAll(reads, root)
      await readEntries(reads, root, [pageKey('id1')])
    })
    assert.equal(again.reads, 0)
  })
})

describe('the shape of the Merkle map', () => {
  it('is known: these roots name this content for ever', async () => {
    const store = memoryStore()
    assert.equal(EMPTY_ROOT, '795a2dcee325e81a1f0bb6832c5852732c05936310858c0873116db601650b65')
    assert.equal(
      (await put(store, EMPTY_ROOT, pages(3))).root,
      'd0c4d92379fe21a3da400a2ac50ab2ae20b0983a19aee2b2e0830b5017e24f52',
    )
    assert.equal(
      (await put(store, EMPTY_ROOT, pages(1000))).root,
      '05f6a5c3a31b6ab89849fc77027af8abc5173ef7016b60aedf8bfa78f6509581',
    )
  })

  it('folds back to a leaf when few entries are left', async () => {
    const store = memoryStore()
    const few = (await put(store, EMPTY_ROOT, pages(16))).root
    const many = (await put(store, few, pages(2000))).root
    const removed = new Map([...pages(2000).keys()].slice(16).map(key => [key, null] as const))
    assert.equal((await put(store, many, removed)).root, few)
  })

  it('accepts keys with equal UTF-8', async () => {
    const store = memoryStore()
    const odd = Array.from({ length: 40 }, (_, n) => `variable/${String.fromCharCode(0xd800 + n)}` as Key)
    const { root } = await put(store, EMPTY_ROOT, new Map(odd.map((key, n) => [key, n])))
    assert.deepEqual(
      [...(await readEntries(store, root, odd))],
      odd.map((key, n) => [key, n]),
    )
  })

  it('is read from decoded nodes where the store keeps them', async () => {
    const store = memoryStore()
    const { root } = await put(store, EMPTY_ROOT, pages(100))
    const bytes = rememberNodes(store)
    await readAll(bytes, root)
    const decoded = {
      getMany: () => assert.fail('asked for bytes'),
      getNodes: (hashes: readonly Hash[]) => bytes.getNodes?.(hashes) ?? assert.fail(),
    }
    assert.equal((await readAll(decoded, root)).size, 100)
  })

  it('says which node the store has lost', async () => {
    const store = memoryStore()
    const { hash } = encodeNode({ kind: 'leaf', entries: [['tree', { children: [] }]] })
    await assert.rejects(readAll(store, hash), new RegExp(`node ${hash} is not in the store`))
  })
})
