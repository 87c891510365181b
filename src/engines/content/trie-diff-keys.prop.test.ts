import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type AnyRecord, type Hash, type Key, pageKey } from './records.ts'
import { memoryStore, type ObjectReads } from './store.ts'
import { applyEdits, diffEntries, EMPTY_ROOT } from './trie.ts'
import { diffEntriesAt } from './trie-diff-keys.ts'

const key: fc.Arbitrary<Key> = fc.oneof(
  { weight: 9, arbitrary: fc.nat(80).map(n => pageKey(String(n))) },
  { weight: 1, arbitrary: fc.constant<Key>('tree') },
)
const record = fc.integer({ min: 0, max: 2 }) as fc.Arbitrary<AnyRecord>
const entries = fc.uniqueArray(fc.tuple(key, record), { selector: ([k]) => k, maxLength: 120, size: 'max' })

async function mapOf(pairs: Iterable<readonly [Key, AnyRecord]>, store = memoryStore()) {
  const { root, objects } = await applyEdits(store, EMPTY_ROOT, new Map(pairs))
  await store.putMany(objects)
  return { store, root }
}

/** The same store, counting the nodes that are asked of it. */
function counting(store: ObjectReads): ObjectReads & { count: number } {
  const reads = {
    count: 0,
    getMany: (hashes: readonly Hash[]) => {
      reads.count += hashes.length
      return store.getMany(hashes)
    },
  }
  return reads
}

describe('comparing two maps at some keys', () => {
  it('gives the changes of a full comparison at those keys', () =>
    fc.assert(
      fc.asyncProperty(entries, entries, fc.array(key, { maxLength: 40 }), async (before, after, keys) => {
        const { store, root } = await mapOf(before)
        const other = await mapOf(after, store)
        const asked = new Set(keys)
        const whole = await diffEntries(store, root, other.root)
        assert.deepEqual(
          await diffEntriesAt(store, root, other.root, keys),
          whole.filter(change => asked.has(change.key)),
        )
      }),
      { numRuns: 200 },
    ))

  it('reads neither other keys nor equal subtrees', async () => {
    const pages = Array.from({ length: 5000 }, (_, n) => [pageKey(String(n)), 0 as AnyRecord] as const)
    const { store, root } = await mapOf(pages)
    const one = await mapOf(
      pages.map(([k]) => [k, k === pageKey('7') ? 1 : 0] as const),
      store,
    )
    const all = await mapOf(
      pages.map(([k]) => [k, 1] as const),
      store,
    )
    const asked = counting(store)
    assert.equal((await diffEntriesAt(asked, root, all.root, [pageKey('7')])).length, 1)
    assert.ok(asked.count <= 2 * 4, `${asked.count} nodes for one key`)
    const differing = counting(store)
    const keys = pages.map(([k]) => k)
    assert.equal((await diffEntriesAt(differing, root, one.root, keys)).length, 1)
    assert.ok(differing.count <= 2 * 4, `${differing.count} nodes for one difference`)
    const none = counting(store)
    assert.deepEqual(await diffEntriesAt(none, root, all.root, []), [])
    assert.deepEqual(await diffEntriesAt(none, root, root, keys), [])
    assert.equal(none.count, 0)
  })
})
