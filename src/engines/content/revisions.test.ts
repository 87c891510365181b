import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { page, stored } from './content.arbitrary.ts'
import { readContent } from './content.ts'
import type { AnyRecord, Key } from './records.ts'
import { commit } from './revisions.ts'
import { memoryStore } from './store.ts'
import { EMPTY_ROOT } from './trie.ts'

const entries = new Map<Key, AnyRecord>([
  ['tree', { children: ['a'] }],
  ['page/a', page({ slug: 'a' })],
])

describe('a commit', () => {
  it('makes a revision and writes nothing', async () => {
    const store = memoryStore()
    const { root, objects, problems } = await commit(store, EMPTY_ROOT, entries)
    assert.deepEqual(problems, [])
    assert.equal((await store.hasMany(objects.map(({ hash }) => hash))).size, 0)
    await store.putMany(objects)
    assert.deepEqual([...(await readContent(store, root)).pages.keys()], ['a'])
  })

  it('returns the problems of the tree as values', async () => {
    const { store, root } = await stored(entries)
    const { problems } = await commit(store, root, new Map([['tree', { children: [] }]]))
    assert.deepEqual(problems, [{ kind: 'orphan', page: 'a', parent: null }])
  })

  it('of nothing is the same revision', async () => {
    const { store, root } = await stored(entries)
    assert.deepEqual(await commit(store, root, entries), { root, objects: [], problems: [] })
  })
})
