import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { commit, page, stored, tree } from './content.arbitrary.ts'
import { type Diff, diff, editsOf } from './diff.ts'
import { Draft } from './draft.ts'
import { movePage, removePage, updatePage } from './page-edits.ts'
import { type AnyRecord, isPageKey, type Key, splitKey } from './records.ts'
import { applyEdits } from './trie.ts'

const entries = new Map<Key, AnyRecord>([
  ['tree', { children: ['a', 'b', 'c', 'd'] }],
  ...['a', 'b', 'c', 'd'].map(id => [`page/${id}`, page({ slug: id, title: id.toUpperCase() })] as const),
  ['file/f', { name: 'a.png', contentType: 'image/png', size: 3, blob: 'b1', file: 'a.png' }],
  ['reusable/r', { title: 'R', document: 'd1', file: 'r.md' }],
  ['variable/v', 1],
])

async function after(edit: (draft: Draft) => Promise<unknown>): Promise<Diff> {
  const { store, root } = await stored(entries)
  const draft = new Draft(store, root)
  assert.equal(await edit(draft), undefined)
  const made = await commit(draft.store, root, draft.edits)
  await store.putMany(made.objects)
  return diff(store, root, made.root)
}

/** Pages and what happened to them: `b changed move 1>3 renamed`. */
const summaryOf = ({ pages }: Diff): string[] =>
  pages.map(({ id, kind, move, isRenamed, isEdited }) =>
    [
      id,
      kind,
      ...(move === null
        ? []
        : [`${move.before.parent}:${move.before.index}>${move.after.parent}:${move.after.index}`]),
      ...(isRenamed ? ['renamed'] : []),
      ...(isEdited ? ['edited'] : []),
    ].join(' '),
  )

describe('the diff of two revisions', () => {
  it('is nothing for a revision and itself', async () => {
    const { store, root } = await stored(entries)
    assert.deepEqual(await diff(store, root, root), {
      entries: [],
      pages: [],
      files: [],
      reusables: [],
      variables: [],
    })
  })

  it('lists created and deleted pages', async () => {
    const { store, root } = await stored(entries)
    const other = await applyEdits(
      store,
      root,
      new Map<Key, AnyRecord | null>([
        ['tree', { children: ['a', 'c', 'd', 'n'] }],
        ['page/b', null],
        ['page/n', page({ slug: 'n' })],
      ]),
    )
    await store.putMany(other.objects)
    assert.deepEqual(summaryOf(await diff(store, root, other.root)), ['b deleted', 'n created'])
    assert.deepEqual(summaryOf(await diff(store, other.root, root)), ['b created', 'n deleted'])
  })

  it('lists the fields that differ, with their old and new values', async () => {
    const changed = await after(draft =>
      updatePage(draft, 'b', { title: 'New', document: 'd2', emoji: '1f600' }),
    )
    assert.deepEqual(summaryOf(changed), ['b changed renamed edited'])
    assert.deepEqual(changed.pages[0]?.attributes, [
      { name: 'document', before: null, after: 'd2' },
      { name: 'emoji', before: undefined, after: '1f600' },
      { name: 'title', before: 'B', after: 'New' },
    ])
  })

  it('lists a move to another parent, but no change of the parents', async () => {
    assert.deepEqual(summaryOf(await after(draft => movePage(draft, 'c', { parent: 'a' }))), [
      'c changed null:2>a:0',
    ])
  })

  it('lists only the siblings that changed their order', async () => {
    assert.deepEqual(summaryOf(await after(draft => movePage(draft, 'a', { parent: null }))), [])
    assert.deepEqual(summaryOf(await after(draft => movePage(draft, 'a', { parent: null, index: 3 }))), [
      'a changed null:0>null:3',
    ])
    assert.deepEqual(summaryOf(await after(draft => removePage(draft, 'a'))), ['a deleted'])
  })

  it('lists files, reusable contents and variables', async () => {
    const { store, root } = await stored(entries)
    const other = await applyEdits(
      store,
      root,
      new Map<Key, AnyRecord | null>([
        ['file/f', { name: 'b.png', contentType: 'image/png', size: 3, blob: 'b1', file: 'a.png' }],
        ['reusable/r', null],
        ['variable/v', 2],
        ['variable/w', true],
      ]),
    )
    await store.putMany(other.objects)
    const { files, reusables, variables, pages } = await diff(store, root, other.root)
    assert.deepEqual(files[0]?.attributes, [{ name: 'name', before: 'a.png', after: 'b.png' }])
    assert.deepEqual(reusables, [{ id: 'r', before: entries.get('reusable/r'), after: null, attributes: [] }])
    assert.deepEqual(
      variables.map(({ id, before, after }) => [id, before, after]),
      [
        ['v', 1, 2],
        ['w', null, true],
      ],
    )
    assert.deepEqual(pages, [])
  })

  it('leads from any tree to any other, and names every page that differs', () =>
    fc.assert(
      fc.asyncProperty(tree(), tree(), async (a, b) => {
        const { store, root } = await stored(a)
        const other = await stored(b)
        const built = await applyEdits(store, root, replacing(a, b))
        await store.putMany(built.objects)
        assert.equal(built.root, other.root)
        const found = await diff(store, root, other.root)
        assert.equal((await applyEdits(store, root, editsOf(found.entries))).root, other.root)
        const kinds = new Map(found.pages.map(({ id, kind }) => [id, kind]))
        for (const key of [...a.keys(), ...b.keys()].filter(isPageKey)) {
          const expected = a.has(key) ? (b.has(key) ? 'changed' : 'deleted') : 'created'
          const kind = kinds.get(splitKey(key)[1])
          if (expected === 'changed') assert.ok(kind === undefined || kind === 'changed')
          else assert.equal(kind, expected)
        }
      }),
    ))

  const replacing = (a: ReadonlyMap<Key, AnyRecord>, b: ReadonlyMap<Key, AnyRecord>) =>
    new Map<Key, AnyRecord | null>([...[...a.keys()].map(key => [key, null] as const), ...b])
})
