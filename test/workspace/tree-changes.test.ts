// What people do to the tree of pages, as changes of the API.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, dropOf, type PageNode, treeAfter, undoOf } from '../../src/web/data/tree-changes.ts'

interface TreePage extends PageNode<TreePage> {}

const page = (id: string, ...pages: TreePage[]): TreePage => ({ id, title: id, type: 'document', pages })
const computed = (id: string): TreePage => ({ ...page(id), type: 'computed' })

const TREE = [page('a'), page('b', page('b1'), page('b2', page('b3'))), page('c'), page('d')]

const outline = (pages: readonly TreePage[]): string =>
  pages.map(({ id, pages: below = [] }) => (below.length === 0 ? id : `${id}(${outline(below)})`)).join(' ')

test('several pages come together where they are dropped, in the order of the tree', () => {
  const drop = { key: 'b1', dropPosition: 'before' } as const
  const action = { kind: 'move', ids: ['d', 'a'], drop } as const
  assert.equal(outline(treeAfter(TREE, action)), 'b(a d b1 b2(b3)) c')
  assert.deepEqual(changesOf(TREE, action), [
    { operation: 'update_page', page: 'a', into: 'b', at: 0 },
    { operation: 'update_page', page: 'd', into: 'b', at: 1 },
  ])
})

test('pages that are moved beside each other count as the API does, without themselves', () => {
  const drop = { key: 'd', dropPosition: 'after' } as const
  const action = { kind: 'move', ids: ['a', 'b'], drop } as const
  assert.equal(outline(treeAfter(TREE, action)), 'c d a b(b1 b2(b3))')
  assert.deepEqual(
    changesOf(TREE, action).map(change => 'at' in change && change.at),
    [3, 3],
  )
})

test('what is below a moved page moves with it and is not moved itself', () => {
  const drop = { key: 'a', dropPosition: 'on' } as const
  const action = { kind: 'move', ids: ['b2', 'b3'], drop } as const
  assert.equal(outline(treeAfter(TREE, action)), 'a(b2(b3)) b(b1) c d')
})

test('a computed page is not counted among siblings, and not moved', () => {
  const tree = [computed('x'), page('a'), page('b')]
  const drop = { key: 'a', dropPosition: 'before' } as const
  assert.deepEqual(changesOf(tree, { kind: 'move', ids: ['b', 'x'], drop }), [
    { operation: 'update_page', page: 'b', into: null, at: 0 },
  ])
})

test('a move is undone to the same tree', () => {
  for (const ids of [['a'], ['b', 'd'], ['b1', 'c'], ['a', 'b3', 'd']])
    for (const key of ['a', 'b', 'b1', 'c', 'd'])
      for (const dropPosition of ['before', 'after', 'on'] as const) {
        if (ids.includes(key) || (key === 'b1' && ids.includes('b'))) continue
        const action = { kind: 'move', ids, drop: { key, dropPosition } } as const
        const undone = apply(treeAfter(TREE, action), undoOf(TREE, action, 'r'))
        assert.equal(outline(undone), outline(TREE), JSON.stringify(action))
      }
})

/** As the API does it: taken out, and put at the index among those that stay. */
function apply(tree: readonly TreePage[], changes: ReturnType<typeof undoOf>): TreePage[] {
  return changes.reduce<TreePage[]>(
    (pages, change) => {
      assert.ok(change.operation === 'update_page' && change.into !== undefined && change.at !== undefined)
      const { page: id, into, at } = change
      let taken: TreePage | undefined
      const take = (some: readonly TreePage[]): TreePage[] =>
        some.flatMap(one => {
          if (one.id === id) taken = one
          return one.id === id ? [] : [{ ...one, pages: take(one.pages ?? []) }]
        })
      const left = take(pages)
      assert.ok(taken)
      const insert = (some: readonly TreePage[]) => some.toSpliced(at, 0, taken as TreePage)
      const put = (some: readonly TreePage[]): TreePage[] =>
        some.map(one => ({
          ...one,
          pages: one.id === into ? insert(put(one.pages ?? [])) : put(one.pages ?? []),
        }))
      return into === null ? insert(left) : put(left)
    },
    [...tree],
  )
}

test('keys move up, down, below the page before and out of the page above, and nowhere else', () => {
  assert.deepEqual(dropOf(TREE, ['c'], 'up'), { key: 'b', dropPosition: 'before' })
  assert.deepEqual(dropOf(TREE, ['a', 'b'], 'down'), { key: 'c', dropPosition: 'after' })
  assert.deepEqual(dropOf(TREE, ['c', 'd'], 'in'), { key: 'b', dropPosition: 'on' })
  assert.deepEqual(dropOf(TREE, ['b3'], 'out'), { key: 'b2', dropPosition: 'after' })
  assert.equal(dropOf(TREE, ['a'], 'up'), undefined)
  assert.equal(dropOf(TREE, ['a'], 'in'), undefined)
  assert.equal(dropOf(TREE, ['a'], 'out'), undefined)
  assert.equal(dropOf(TREE, ['d'], 'down'), undefined)
})

test('a change is undone with what was there, a deletion with the revision before', () => {
  const action = { kind: 'change', ids: ['a'], fields: { title: 'A', hidden: true } } as const
  assert.deepEqual(undoOf(TREE, action, 'r'), [
    { operation: 'update_page', page: 'a', title: 'a', followTitle: true, hidden: false },
  ])
  assert.deepEqual(undoOf(TREE, { kind: 'delete', ids: ['b', 'b1'] }, 'r'), [
    { operation: 'revert_page', page: 'b', revision: 'r' },
  ])
})
