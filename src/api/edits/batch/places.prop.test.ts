import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../../test/support/growth.ts'
import { newId } from '../../../base/ids.ts'
import {
  type AnyRecord,
  type Edits,
  fileKey,
  type Hash,
  type Key,
  type PageRecord,
  pageKey,
  reusableKey,
} from '../../../engines/content/records.ts'
import { memoryStore } from '../../../engines/content/store.ts'
import { applyEdits, EMPTY_ROOT, readAll } from '../../../engines/content/trie.ts'
import { DIFFERENCES_MAX, Places, placesAt } from './places.ts'

const ID = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const FILE = fc.constantFrom('one.md', 'two.md', 'three.md', 'four.md', 'five.md', 'six.md')
const KEY = fc.oneof(ID.map(pageKey), ID.map(fileKey), ID.map(reusableKey), fc.constant<Key>('variable/x'))
/** One revision after the other, each by its edits; a file belongs to one record, as in a repository. */
const HISTORY = fc.array(
  fc.dictionary(KEY, fc.option(FILE, { nil: null }), { maxKeys: 5 }).map(edits => Object.entries(edits)),
  { minLength: 1, maxLength: 6 },
)

test('whatever was asked before, the places of a revision are those of its records', async () => {
  await fc.assert(
    fc.asyncProperty(HISTORY, async history => {
      const store = memoryStore()
      const spaceId = newId()
      const ownerOf = [spaceId, newId(), newId()]
      const { root: empty, objects } = await applyEdits(store, EMPTY_ROOT, new Map())
      await store.putMany(objects)
      let root = empty
      for (const edits of history) {
        const before = await readAll(store, root)
        const taken = new Set([...before].map(([, record]) => (record as { file?: string }).file))
        const made: Edits = new Map(
          edits.flatMap(([key, file]): [Key, AnyRecord | null][] => {
            if (key === 'variable/x') return [[key, file ?? 'none']]
            if (file !== null && taken.has(file)) return [[key as Key, null]]
            taken.add(file ?? undefined)
            return [[key as Key, file === null ? null : ({ title: key, file, document: '' } as AnyRecord)]]
          }),
        )
        const next = await applyEdits(store, root, made)
        await store.putMany(next.objects)
        root = next.root
        const places = await placesAt(
          store,
          { spaceId, id: ownerOf[made.size % ownerOf.length] ?? spaceId },
          root,
        )
        const expected = new Map<string, string>()
        for (const [key, record] of await readAll(store, root)) {
          const { file } = record as { file?: string }
          if (file !== undefined) expected.set(file, key.split('/')[1] as string)
        }
        for (const file of ['one.md', 'two.md', 'three.md', 'four.md', 'five.md', 'six.md'])
          assert.equal(places.find(file)?.id, expected.get(file), file)
      }
    }),
    { numRuns: 100 },
  )
})

const page = (file: string) => ({ title: 'x', file, document: '' }) as PageRecord

test('a change request far from its space and the space do not evict the cached places of each other', async () => {
  const store = memoryStore()
  const empty = await applyEdits(store, EMPTY_ROOT, new Map())
  await store.putMany(empty.objects)
  const many = Array.from(
    { length: DIFFERENCES_MAX + 1 },
    (_, n) => [pageKey(`p${n}`), page(`p${n}.md`)] as const,
  )
  const far = await applyEdits(store, empty.root, new Map(many))
  await store.putMany(far.objects)
  const spaceId = newId()
  const changeRequest = { spaceId, id: newId() }
  for (let turn = 0; turn < 3; turn += 1) {
    const ofSpace = await placesAt(store, { spaceId, id: spaceId }, empty.root)
    assert.equal(ofSpace.find('p1.md'), undefined)
    const ofChangeRequest = await placesAt(store, changeRequest, far.root)
    assert.equal(ofChangeRequest.find(`p${DIFFERENCES_MAX}.md`)?.id, `p${DIFFERENCES_MAX}`)
  }
})

test('after many edits of texts, the places of the next revision are found by what differs from the last one', async () => {
  const store = memoryStore()
  const pages = Array.from({ length: 100 }, (_, n) => [pageKey(`p${n}`), page(`p${n}.md`)] as const)
  let { root, objects } = await applyEdits(store, EMPTY_ROOT, new Map(pages))
  await store.putMany(objects)
  let read = 0
  const reads = {
    getMany(hashes: readonly Hash[]) {
      read += hashes.length
      return store.getMany(hashes)
    },
  }
  const id = newId()
  const owner = { spaceId: id, id }
  await placesAt(reads, owner, root)
  const counts: number[] = []
  for (const [key, record] of pages) {
    const next = await applyEdits(store, root, new Map([[key, { ...record, document: 'other' }]]))
    await store.putMany(next.objects)
    root = next.root
    read = 0
    await placesAt(reads, owner, root)
    counts.push(read)
  }
  assert.ok((counts.at(-1) ?? 0) <= (counts[0] ?? 0), counts.join(' '))
})

test('a path that is taken gets a number before its ending, however many want it', () => {
  const places = new Places(new Map())
  const names = Array.from({ length: 4 }, (_, n) => {
    const file = places.free('a/b.c.md')
    places.enter(pageKey(String(n)), page(file))
    return file
  })
  assert.deepEqual(names, ['a/b.c.md', 'a/b.c-1.md', 'a/b.c-2.md', 'a/b.c-3.md'])
  assert.equal(places.free('.hidden'), '.hidden')
})

test('a path is freed by the record that has it, and by no other', () => {
  const places = new Places(new Map([['a.md', { kind: 'page', id: '1' }]]))
  places.leave(pageKey('2'), page('a.md'))
  assert.equal(places.find('a.md')?.id, '1')
  places.leave(pageKey('1'), page('a.md'))
  assert.equal(places.find('a.md'), undefined)
})

test('a fork goes its own way', () => {
  const places = new Places(new Map())
  const fork = places.fork()
  fork.enter(pageKey('1'), page('a.md'))
  assert.equal(places.find('a.md'), undefined)
  assert.equal(fork.find('a.md')?.id, '1')
})

test('files of one name are named in linear time', async () => {
  const name = (count: number) => {
    const places = new Places(new Map())
    for (let n = 0; n < count; n += 1) places.enter(fileKey(String(n)), page(places.free('a.png')))
  }
  await assertLinear('places.free', name, count => count, 262_144)
})
