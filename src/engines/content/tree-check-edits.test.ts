import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { commit, type Entries, page, stored } from './content.arbitrary.ts'
import { contentOf } from './content.ts'
import { Draft } from './draft.ts'
import { insertPage, movePage, removePage, updatePage } from './page-edits.ts'
import { type AnyRecord, type Edits, type Key, pageKey } from './records.ts'
import type { ObjectReads } from './store.ts'
import { TREE_PAGES_MAX } from './tree.ts'
import { checkTree } from './tree-check.ts'
import { checkEdits } from './tree-check-edits.ts'

/** A tree of `parents` root pages with `each` children. */
function shelves(parents: number, each: number): Entries {
  const ids = Array.from({ length: parents }, (_, i) => `p${i}`)
  const entries: Entries = new Map([['tree', { children: ids }]])
  for (const id of ids) {
    const children = Array.from({ length: each }, (_, i) => `${id}-${i}`)
    entries.set(pageKey(id), page({ slug: id, children }))
    for (const child of children) entries.set(pageKey(child), page({ slug: child, parent: id }))
  }
  return entries
}

function counted(store: ObjectReads) {
  const counts = { reads: 0 }
  const reads: ObjectReads = {
    getMany: hashes => {
      counts.reads += hashes.length
      return store.getMany(hashes)
    },
  }
  return { reads, counts }
}

describe('the cost of checking edits', () => {
  it('is that of the edits, not of the tree', async () => {
    const small = await costs(shelves(10, 10))
    const large = await costs(shelves(500, 10))
    assert.ok(large.update <= 5, `an update reads ${large.update} nodes`)
    for (const intent of ['insert', 'move', 'remove'] as const) {
      assert.ok(large[intent] <= 80, `${intent} reads ${large[intent]} nodes of the large tree`)
      assert.ok(large[intent] < small[intent] * 4, `${intent}: ${small[intent]}, ${large[intent]}`)
    }
  })

  async function costs(entries: Entries) {
    const { store, root } = await stored(entries)
    const cost = async (edit: (draft: Draft) => Promise<unknown>): Promise<number> => {
      const { reads, counts } = counted(store)
      const draft = new Draft(reads, root)
      assert.equal(await edit(draft), undefined)
      const { problems } = await commit(draft.store, root, draft.edits)
      assert.deepEqual(problems, [])
      return counts.reads
    }
    return {
      update: await cost(draft => updatePage(draft, 'p1-1', { title: 'New' })),
      insert: await cost(draft =>
        insertPage(draft, 'new', page({ slug: 'new' }), { parent: 'p1', index: 0 }),
      ),
      move: await cost(draft => movePage(draft, 'p1-1', { parent: 'p2' })),
      remove: await cost(draft => removePage(draft, 'p1')),
    }
  }
})

describe('the check of edits', () => {
  const pagesOf = (count: number): Map<Key, AnyRecord> => {
    const ids = Array.from({ length: count }, (_, i) => `p${i}`)
    return new Map<Key, AnyRecord>([
      ['tree', { children: ids }],
      ...ids.map(id => [pageKey(id), page({ slug: id })] as const),
    ])
  }

  it('counts pages without reading them', async () => {
    const full = pagesOf(TREE_PAGES_MAX)
    const { store, root } = await stored(full)
    const { reads, counts } = counted(store)
    const one: Edits = new Map<Key, AnyRecord>([
      ['page/p1', page({ slug: 'p1', children: ['more'] })],
      ['page/more', page({ slug: 'more', parent: 'p1' })],
    ])
    const problems = [{ kind: 'too_many_pages', pages: TREE_PAGES_MAX + 1 }]
    assert.deepEqual(await checkEdits(reads, root, one), problems)
    assert.deepEqual(checkTree(contentOf(new Map([...full, ...one] as [Key, AnyRecord][]))), problems)
    assert.ok(counts.reads < 40, `${counts.reads} nodes read`)
  })

  it('ignores what is not a page', async () => {
    const { store, root } = await stored(pagesOf(3))
    assert.deepEqual(await checkEdits(store, root, new Map([['variable/a', 1]])), [])
  })
})
