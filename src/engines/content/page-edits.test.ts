import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { commit, page, stored } from './content.arbitrary.ts'
import { readContent } from './content.ts'
import { Draft, PathFinder } from './draft.ts'
import { insertPage, movePage, removePage, updatePage } from './page-edits.ts'
import type { AnyRecord, Key } from './records.ts'
import { walkPages } from './tree.ts'

const entries = new Map<Key, AnyRecord>([
  ['tree', { children: ['a', 'b'] }],
  ['page/a', page({ slug: 'a', children: ['a1', 'a2', 'a3'] })],
  ['page/a1', page({ slug: 'a1', parent: 'a', children: ['a11'] })],
  ['page/a11', page({ slug: 'a11', parent: 'a1' })],
  ['page/a2', page({ slug: 'a2', parent: 'a' })],
  ['page/a3', page({ slug: 'a3', parent: 'a' })],
  ['page/b', page({ slug: 'b', emoji: '1f600' })],
])
const { parent: _, children: __, ...fresh } = page({ slug: 'new' })

/** The tree after an edit as `a(a1 a2) b`, and what the check says. */
async function after(edit: (draft: Draft) => Promise<unknown>): Promise<string> {
  const { store, root } = await stored(entries)
  const draft = new Draft(store, root)
  assert.equal(await edit(draft), undefined)
  const made = await commit(draft.store, root, draft.edits)
  await store.putMany(made.objects)
  if (made.problems.length > 0) return made.problems.map(({ kind }) => kind).join(' ')
  const { tree, pages } = await readContent(store, made.root)
  const outlineOf = (ids: readonly string[]): string =>
    ids
      .map(id => id + (pages.get(id)!.children.length > 0 ? `(${outlineOf(pages.get(id)!.children)})` : ''))
      .join(' ')
  assert.equal([...walkPages({ tree, pages })].length, pages.size)
  return outlineOf(tree.children)
}

describe('page edits', () => {
  it('insert a page first, between, last, and last when the index is too large', async () => {
    const at = (parent: string | null, index?: number) =>
      after(draft => insertPage(draft, 'n', fresh, index === undefined ? { parent } : { parent, index }))
    assert.equal(await at(null, 0), 'n a(a1(a11) a2 a3) b')
    assert.equal(await at('a', 1), 'a(a1(a11) n a2 a3) b')
    assert.equal(await at('a'), 'a(a1(a11) a2 a3 n) b')
    assert.equal(await at('b', 99), 'a(a1(a11) a2 a3) b(n)')
  })

  it('move a page with its subtree', async () => {
    assert.equal(await after(draft => movePage(draft, 'a1', { parent: 'b' })), 'a(a2 a3) b(a1(a11))')
    assert.equal(
      await after(draft => movePage(draft, 'a1', { parent: null, index: 1 })),
      'a(a2 a3) a1(a11) b',
    )
    assert.equal(await after(draft => movePage(draft, 'a', { parent: 'b' })), 'b(a(a1(a11) a2 a3))')
  })

  it('move a page among its siblings, counted without itself', async () => {
    assert.equal(await after(draft => movePage(draft, 'a1', { parent: 'a', index: 1 })), 'a(a2 a1(a11) a3) b')
    assert.equal(await after(draft => movePage(draft, 'a3', { parent: 'a', index: 0 })), 'a(a3 a1(a11) a2) b')
    assert.equal(await after(draft => movePage(draft, 'a2', { parent: 'a' })), 'a(a1(a11) a2 a3) b')
  })

  it('leave it to the check to report a page below itself', async () => {
    assert.equal(await after(draft => movePage(draft, 'a', { parent: 'a11' })), 'cycle')
    assert.equal(await after(draft => movePage(draft, 'a2', { parent: 'a2' })), 'cycle')
  })

  it('remove a page with everything below it', async () => {
    assert.equal(await after(draft => removePage(draft, 'a')), 'b')
    assert.equal(await after(draft => removePage(draft, 'a11')), 'a(a1 a2 a3) b')
  })

  it('change fields, and take optional ones away', async () => {
    const { store, root } = await stored(entries)
    const draft = new Draft(store, root)
    await updatePage(draft, 'b', { title: 'New', emoji: undefined })
    const { emoji, ...rest } = page({ slug: 'b', title: 'New' })
    assert.deepEqual([...draft.edits], [['page/b', rest]])
    assert.equal(emoji, undefined)
  })

  it('build upon each other on one draft', async () => {
    assert.equal(
      await after(async draft => {
        await insertPage(draft, 'n', fresh, { parent: 'b' })
        await movePage(draft, 'a1', { parent: 'n' })
        await removePage(draft, 'a11')
        await movePage(draft, 'a3', { parent: 'n', index: 0 })
        return removePage(draft, 'a')
      }),
      'b(n(a3 a1))',
    )
  })

  it('refuse what is not there, and an id that is taken, having changed nothing', async () => {
    const { store, root } = await stored(entries)
    const draft = new Draft(store, root)
    const gone = { kind: 'page_missing', page: 'gone' }
    assert.deepEqual(await insertPage(draft, 'n', fresh, { parent: 'gone' }), gone)
    assert.deepEqual(await insertPage(draft, 'a', fresh, { parent: null }), {
      kind: 'page_exists',
      page: 'a',
    })
    assert.deepEqual(await movePage(draft, 'gone', { parent: null }), gone)
    assert.deepEqual(await movePage(draft, 'a', { parent: 'gone' }), gone)
    assert.deepEqual(await removePage(draft, 'gone'), gone)
    assert.deepEqual(await updatePage(draft, 'gone', { title: 'x' }), gone)
    assert.equal(draft.edits.size, 0)
  })

  it('find a page by its path in a draft of which nothing was read', async () => {
    const { store, root } = await stored(entries)
    const find = (path: string) => new PathFinder(new Draft(store, root)).find(path)
    assert.deepEqual(
      [await find(''), await find('a/a1/a11'), await find('a/gone'), await find('gone/a')],
      ['a', 'a11', undefined, undefined],
    )
  })

  it('read nothing that was not loaded, rather than guess', async () => {
    const { store, root } = await stored(entries)
    assert.throws(() => new Draft(store, root).page('a'), /page\/a was loaded/)
  })
})
