import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/characters.ts'
import type { AnyRecord, Hash, Key } from './records.ts'
import { memoryStore, type ObjectReads } from './store.ts'
import { applyEdits, countEntries, diffEntries, EMPTY_ROOT, readAll, readEntries } from './trie.ts'
import { childAt, loadNodes, SLOTS } from './trie-nodes.ts'

// Few names, so that edits meet each other; lone surrogates, because a variable may be called so.
const name = fc.oneof(
  fc.integer({ min: 0, max: 60 }).map(String),
  fc.string({ maxLength: 4 }),
  fc.constantFrom('\ud800', '\ud801', '\udfff', '__proto__', ''),
)
const key: fc.Arbitrary<Key> = fc.oneof(
  { weight: 6, arbitrary: name.map(n => `page/${n}` as const) },
  { weight: 3, arbitrary: name.map(n => `variable/${n}` as const) },
  { weight: 1, arbitrary: fc.constant<Key>('tree') },
)
const record = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.record({ title: fc.string(), children: fc.array(name, { maxLength: 3 }) }, { noNullPrototype: true }),
) as fc.Arbitrary<AnyRecord>
const map = fc.uniqueArray(fc.tuple(key, record), { selector: ([k]) => k, maxLength: 120, size: 'max' })
const edits = fc.uniqueArray(fc.tuple(key, fc.option(record, { freq: 2 })), {
  selector: ([k]) => k,
  maxLength: 60,
  size: 'max',
})

type Pairs = readonly (readonly [Key, AnyRecord | null])[]

async function edited(store: ReturnType<typeof memoryStore>, root: Hash, pairs: Pairs): Promise<Hash> {
  const built = await applyEdits(store, root, new Map(pairs))
  await store.putMany(built.objects)
  return built.root
}

function editedMap(before: Pairs, pairs: Pairs): Map<Key, AnyRecord> {
  const after = new Map(before)
  for (const [k, value] of pairs) {
    if (value === null) after.delete(k)
    else after.set(k, value)
  }
  return after as Map<Key, AnyRecord>
}

const sorted = (entries: Iterable<readonly [Key, unknown]>) =>
  [...entries].sort(([a], [b]) => (a < b ? -1 : 1))

describe('the Merkle map', () => {
  it('reads back what was written, whole and in part', () =>
    fc.assert(
      fc.asyncProperty(map, edits, async (before, changes) => {
        const store = memoryStore()
        const root = await edited(store, await edited(store, EMPTY_ROOT, before), changes)
        const expected = editedMap(before, changes)
        assert.deepEqual(sorted(await readAll(store, root)), sorted(expected))
        const asked = [...before, ...changes].map(([k]) => k)
        assert.deepEqual(sorted(await readEntries(store, root, asked)), sorted(expected))
        const pages = [...expected.keys()].filter(k => k.startsWith('page/')).length
        assert.deepEqual(await countEntries(store, root), { entries: expected.size, pages })
      }),
    ))

  it('has one root for equal content, whatever the edits that led to it and their order', () =>
    fc.assert(
      fc.asyncProperty(map, edits, fc.nat(), async (before, changes, cut) => {
        const store = memoryStore()
        const root = await edited(store, await edited(store, EMPTY_ROOT, before), changes)
        let other = EMPTY_ROOT
        const content = sorted(editedMap(before, changes)).reverse() as [Key, AnyRecord][]
        const at = content.length === 0 ? 0 : cut % content.length
        for (const part of [content.slice(at), content.slice(0, at)]) other = await edited(store, other, part)
        assert.equal(other, root)
      }),
    ))

  it('has a diff that leads from one map to the other, and back', () =>
    fc.assert(
      fc.asyncProperty(map, edits, async (before, changes) => {
        const store = memoryStore()
        const a = await edited(store, EMPTY_ROOT, before)
        const b = await edited(store, a, changes)
        const diff = await diffEntries(store, a, b)
        assert.equal(
          await edited(
            store,
            a,
            diff.map(change => [change.key, change.after] as const),
          ),
          b,
        )
        assert.equal(
          await edited(
            store,
            b,
            diff.map(change => [change.key, change.before] as const),
          ),
          a,
        )
        assert.deepEqual(await diffEntries(store, b, b), [])
        const back = diff.map(({ key, before, after }) => ({ key, before: after, after: before }))
        assert.deepEqual(await diffEntries(store, b, a), back)
      }),
    ))

  it('never reads a subtree that both sides of a diff have', () =>
    fc.assert(
      fc.asyncProperty(map, edits, async (before, changes) => {
        const store = memoryStore()
        const a = await edited(store, EMPTY_ROOT, before)
        const b = await edited(store, a, changes)
        const read = new Set<Hash>()
        const watched: ObjectReads = {
          getMany: hashes => {
            for (const hash of hashes) read.add(hash)
            return store.getMany(hashes)
          },
        }
        await diffEntries(watched, a, b)
        const placesOfA = await placesOf(store, a)
        const shared = [...(await placesOf(store, b))].filter(
          ([place, hash]) => placesOfA.get(place) === hash,
        )
        assert.deepEqual(
          shared.filter(([, hash]) => read.has(hash)),
          [],
        )
      }),
    ))
})

/** Every node below a root, by its place: the slots on the way to it. */
async function placesOf(store: ObjectReads, root: Hash, place = ''): Promise<Map<string, Hash>> {
  const places = new Map([[place, root]])
  const node = (await loadNodes(store, [root]))(root)
  if (node.kind !== 'inner') return places
  for (let slot = 0; slot < SLOTS; slot++) {
    const child = childAt(node, slot)
    if (child === undefined) continue
    for (const found of await placesOf(store, child, `${place}/${slot}`)) places.set(...found)
  }
  return places
}
