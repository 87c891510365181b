import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { page } from './content.arbitrary.ts'
import { contentOf } from './content.ts'
import type { AnyRecord, PageRecord } from './records.ts'
import { TREE_DEPTH_MAX, TREE_PAGES_MAX } from './tree.ts'
import { checkTree } from './tree-check.ts'

/** A tree by its records: the root's list, then pages by id. */
const problemsOf = (children: readonly string[], pages: { [id: string]: Partial<PageRecord> }) =>
  checkTree(
    contentOf([
      ['tree', { children } as AnyRecord],
      ...Object.entries(pages).map(([id, fields]) => [`page/${id}`, page({ slug: id, ...fields })] as const),
    ]),
  )

/** Pages c1 … cn, each below the one before. */
const chain = (length: number): { [id: string]: Partial<PageRecord> } =>
  Object.fromEntries(
    Array.from({ length }, (_, i) => [
      `c${i + 1}`,
      { parent: i === 0 ? null : `c${i}`, children: i + 1 === length ? [] : [`c${i + 2}`] },
    ]),
  )

describe('the invariant of the page tree', () => {
  it('holds for nothing, and for pages that agree with their parents', () => {
    assert.deepEqual(problemsOf([], {}), [])
    assert.deepEqual(
      problemsOf(['a', 'l'], {
        a: { type: 'group', children: ['b', 'l2'] },
        b: { parent: 'a' },
        l: { type: 'link', slug: '' },
        l2: { type: 'link', slug: '', parent: 'a' },
      }),
      [],
    )
  })

  it('reports a listed page that does not exist', () => {
    assert.deepEqual(problemsOf(['a'], {}), [{ kind: 'child_missing', page: 'a', parent: null }])
  })

  it('reports a page that is listed twice', () => {
    assert.deepEqual(problemsOf(['a', 'a'], { a: {} }), [
      { kind: 'child_listed_twice', page: 'a', parent: null },
    ])
  })

  it('reports a page that a second parent lists', () => {
    assert.deepEqual(problemsOf(['a', 'b'], { a: { children: ['b'] }, b: {} }), [
      { kind: 'parent_disagrees', page: 'b', parent: 'a' },
    ])
  })

  it('reports a page that is not listed, and one whose parent does not exist', () => {
    assert.deepEqual(problemsOf([], { a: {}, b: { parent: 'gone' } }), [
      { kind: 'orphan', page: 'a', parent: null },
      { kind: 'orphan', page: 'b', parent: 'gone' },
    ])
  })

  it('reports a cycle of pages once', () => {
    const ring = {
      b: { parent: 'd', children: ['c', 'x'] },
      c: { parent: 'b', children: ['d'] },
      d: { parent: 'c', children: ['b'] },
    }
    assert.deepEqual(problemsOf([], { ...ring, x: { parent: 'b' } }), [{ kind: 'cycle', page: 'b' }])
    assert.deepEqual(problemsOf([], { a: { parent: 'a', children: ['a'] } }), [{ kind: 'cycle', page: 'a' }])
  })

  it('reports siblings with equal slugs, but not other pages', () => {
    assert.deepEqual(
      problemsOf(['a', 'b'], {
        a: { slug: 's', children: ['c'] },
        b: { slug: 's' },
        c: { slug: 's', parent: 'a' },
      }),
      [{ kind: 'slug_taken', page: 'b', parent: null, sibling: 'a', slug: 's' }],
    )
  })

  it('reports a slug that is no path of its own', () => {
    assert.deepEqual(
      problemsOf(['a', 'b', 'c'], { a: { slug: '' }, b: { slug: 'x/y' }, c: { type: 'link', slug: 'c' } }),
      [
        { kind: 'slug_invalid', page: 'a', slug: '' },
        { kind: 'slug_invalid', page: 'b', slug: 'x/y' },
        { kind: 'slug_invalid', page: 'c', slug: 'c' },
      ],
    )
  })

  it('reports links and computed pages with children', () => {
    const below = (parent: string) => ({ parent })
    assert.deepEqual(
      problemsOf(['l', 'k'], {
        l: { type: 'link', slug: '', children: ['a'] },
        k: { type: 'computed', slug: '', children: ['b'] },
        a: below('l'),
        b: below('k'),
      }),
      [
        { kind: 'children_forbidden', page: 'k' },
        { kind: 'children_forbidden', page: 'l' },
      ],
    )
  })

  it('reports a group below the root', () => {
    assert.deepEqual(problemsOf(['a'], { a: { children: ['g'] }, g: { type: 'group', parent: 'a' } }), [
      { kind: 'group_nested', page: 'g', parent: 'a' },
    ])
  })

  it('reports the first page that is too deep', () => {
    assert.deepEqual(problemsOf(['c1'], chain(TREE_DEPTH_MAX)), [])
    assert.deepEqual(problemsOf(['c1'], chain(TREE_DEPTH_MAX + 5)), [
      { kind: 'too_deep', page: `c${TREE_DEPTH_MAX + 1}` },
    ])
  })

  it('reports too many pages', () => {
    const flat = (count: number) => {
      const ids = Array.from({ length: count }, (_, i) => `p${i}`)
      return problemsOf(ids, Object.fromEntries(ids.map(id => [id, {}])))
    }
    assert.deepEqual(flat(TREE_PAGES_MAX), [])
    assert.deepEqual(flat(TREE_PAGES_MAX + 1), [{ kind: 'too_many_pages', pages: TREE_PAGES_MAX + 1 }])
  })

  it('is checked in time on a chain of 20,000 pages and on as many siblings that share a slug', () => {
    assert.equal(problemsOf(['c1'], chain(TREE_PAGES_MAX)).length, 1)
    const ids = Array.from({ length: TREE_PAGES_MAX }, (_, i) => `p${i}`)
    const same = problemsOf(ids, Object.fromEntries(ids.map(id => [id, { slug: 's' }])))
    assert.equal(same.length, TREE_PAGES_MAX - 1)
  })
})
