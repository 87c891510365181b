// Groups of one title: their headings are equal, and only their order says which address is whose.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Files, MemorySpace } from '../../../test/support/memory-source.ts'
import type { Failure } from '../../base/errors.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import { type AnyRecord, type Key, type PageRecord, pageKey } from '../../engines/content/records.ts'

const FILES: Files = {
  'SUMMARY.md':
    '# Contents\n\n* [Home](README.md)\n\n## Guides\n\n* [A](a.md)\n\n##  Guides\n\n* [B](b.md)\n\n## Guides\n\n* [C](c.md)\n',
  'README.md': '# Home\n',
  'a.md': '# A\n',
  'b.md': '# B\n',
  'c.md': '# C\n',
}

/** What is below each group, by its address. */
const addressesOf = ({ content }: MemorySpace) =>
  content.tree.children
    .map(id => content.pages.get(id) as PageRecord)
    .filter(({ type }) => type === 'group')
    .map(({ slug, children }) => [slug, ...children.map(id => content.pages.get(id)?.file)])

async function spaceWithGroups() {
  const space = new MemorySpace()
  await space.import(FILES)
  assert.deepEqual(addressesOf(space), [
    ['guides', 'a.md'],
    ['guides-1', 'b.md'],
    ['guides-2', 'c.md'],
  ])
  return space
}

/** The addresses in a space that knows the groups, and in one that reads the repository for the first time. */
async function addressesAfter(space: MemorySpace, written: Files) {
  const fresh = new MemorySpace()
  await fresh.import(written)
  await space.import(written)
  return [addressesOf(space), addressesOf(fresh)]
}

test('groups of one title that change places keep their addresses', async () => {
  const space = await spaceWithGroups()
  const base = space.content
  const [home = '', first = '', second = '', third = ''] = base.tree.children
  space.edit({ edits: new Map([['tree', { children: [home, second, first, third] }]]), documents: [] })
  const moved = addressesOf(space)
  const written = await space.export(FILES, base)
  assert.deepEqual(await addressesAfter(space, written), [moved, moved])
})

test('a group keeps its address when one of its title above it is removed', async () => {
  const space = await spaceWithGroups()
  const base = space.content
  const [home = '', first = '', second = '', third = ''] = base.tree.children
  const [page = ''] = base.pages.get(first)?.children ?? []
  const edits = new Map<Key, AnyRecord | null>([
    [pageKey(first), null],
    [pageKey(page), null],
    ['tree', { children: [home, second, third] }],
  ])
  space.edit({ edits, documents: [] })
  const left = addressesOf(space)
  const written = await space.export(FILES, base)
  assert.deepEqual(await addressesAfter(space, written), [left, left])
})

test('an edit elsewhere leaves their headings as their author wrote them', async () => {
  const space = await spaceWithGroups()
  const base = space.content
  const { id, ...page } = space.page('a.md')
  const document = encodeDocument('# Other\n')
  const renamed: PageRecord = { ...page, title: 'Other', document: document.hash }
  space.edit({ edits: new Map([[pageKey(id), renamed]]), documents: [document] })
  const written = await space.export(FILES, base)
  assert.equal(
    Buffer.from(written['SUMMARY.md'] ?? '').toString(),
    String(FILES['SUMMARY.md']).replace('[A]', '[Other]'),
  )
})

test('a new page at the path of a file that SUMMARY.md does not list says what helps', async () => {
  const files: Files = {
    'SUMMARY.md': '* [Home](README.md)\n',
    'README.md': '# Home\n',
    'notes.md': '# Notes of others\n',
  }
  const space = new MemorySpace()
  await space.import(files)
  const base = space.content
  const document = encodeDocument('# Notes\n')
  const page: PageRecord = {
    ...{ type: 'document', title: 'Notes', slug: 'notes', parent: null, children: [] },
    ...{ document: document.hash, file: 'notes.md' },
  }
  const children = [...base.tree.children, 'new']
  const edits = new Map<Key, AnyRecord>([
    [pageKey('new'), page],
    ['tree', { children }],
  ])
  space.edit({ edits, documents: [document] })
  await assert.rejects(space.export(files, base), ({ code, message }: Failure) => {
    assert.equal(code, 'export_conflicts')
    assert.match(message, /has notes\.md, .*Rename or remove them in the repository, or export with force/)
    return true
  })
  // Without a common revision, the import decides whose words are kept.
  await assert.rejects(space.export(files, undefined), { message: /Import the repository first/ })
  const { 'notes.md': _, ...others } = files
  const written = await space.export({ ...others, 'notes-of-others.md': '# Notes of others\n' }, base)
  assert.equal(Buffer.from(written['notes.md'] ?? '').toString(), '# Notes\n')
})
