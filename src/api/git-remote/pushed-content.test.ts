import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemorySpace, memorySource } from '../../../test/support/memory-source.ts'
import type { Failure } from '../../base/errors.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import { type AnyRecord, type Key, pageKey, TREE_KEY } from '../../engines/content/records.ts'
import { readPath, type TreeEntry } from '../../platform/tree-source.ts'
import { planImport } from '../git-sync/layout.ts'
import { filesOfRevision, projectOfRevision } from './files.ts'
import { refuseFilesNotKept, withBlobIds } from './pushed-content.ts'

const FILES = {
  'SUMMARY.md': '* [Home](README.md)\n* [More](more.md)\n',
  'README.md': '# Home\n',
  'more.md': '# More\n',
  '.gitbook/vars.yaml': 'a: 1 # kept as it is\n',
  '.gitbook/includes/note.md': 'Mind this.\n',
  'picture.png': 'pixels',
}

async function imported(files: Readonly<Record<string, string>>, odd: readonly TreeEntry[] = []) {
  const space = new MemorySpace()
  const { problems } = await space.import(files, { fileBytesMax: 10 }, odd)
  const source = memorySource(files, space.documents, odd)
  return { space, source, problems, project: await projectOfRevision(source, space.content) }
}

test('a commit has nothing that its space does not keep, and the refusal names what it is', async () => {
  const refusal = async (more: Readonly<Record<string, string>>, odd: readonly TreeEntry[] = []) => {
    const { space, source, project, problems } = await imported({ ...FILES, ...more }, odd)
    try {
      refuseFilesNotKept(source.entries, space.content, project, problems)
      return undefined
    } catch (error) {
      return (error as Failure).message
    }
  }
  assert.equal(await refusal({}), undefined)
  assert.equal(await refusal({ '.gitbook.yaml': 'root: ./\n' }), undefined)
  assert.match((await refusal({ 'new.md': '# New\n' })) ?? '', /^new\.md: not listed in SUMMARY\.md/)
  assert.match((await refusal({ 'a.ts': '', LICENSE: '' })) ?? '', /^A space cannot keep LICENSE, a\.ts:/)
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}.ts`, '']))
  assert.match((await refusal(many)) ?? '', /0\.ts, 1\.ts, 2\.ts, 3\.ts, 4\.ts and 4 more:/)
  assert.match(
    (await refusal({ 'large.png': 'x'.repeat(11) })) ?? '',
    /^large\.png: A file holds at most 10 bytes/,
  )
  const link = { ...readPath(Buffer.from('link.md')), kind: 'symlink', oid: 'a'.repeat(40), size: 3 } as const
  assert.match((await refusal({}, [link])) ?? '', /^link\.md: A symlink is not followed/)
})

test('what a commit did not touch is known by its blob id, whatever the space made of it', async () => {
  const { space, source, project } = await imported(FILES)
  const { id, ...page } = space.page('more.md')
  space.edit({
    edits: new Map([[pageKey(id), { ...page, oid: 'stale', slug: 'other', title: 'Another' }]]),
    documents: [],
  })
  const entries = new Map(source.entries.map(entry => [entry.path, entry]))
  const known = withBlobIds(space.content, [{ content: space.content, project, entries }])
  assert.equal(known.pages.get(id)?.oid, entries.get('more.md')?.oid)
  assert.deepEqual({ ...known.pages.get(id), oid: 'stale' }, space.content.pages.get(id))
  const none = withBlobIds(space.content, [])
  assert.equal(none.pages.get(id)?.oid, undefined)
})

test('a commit with the files of a revision changes nothing in it, whatever no file says', async () => {
  const space = new MemorySpace()
  const { 'picture.png': _, ...files } = FILES
  await space.import({
    ...files,
    'SUMMARY.md': `# All\n\n${FILES['SUMMARY.md']}\n## Part\n\n- [Below](below.md "Short")\n- [Web](https://a.test)\n`,
    'below.md': '---\nicon: bolt\n---\n\n# Below\n',
  })
  const edits = new Map<Key, AnyRecord>()
  for (const [id, page] of space.content.pages) {
    const target = { kind: 'space', space: 'another' } as const
    const times = { createdAt: '2030-01-01T00:00:00.000Z', updatedAt: '2030-01-02T00:00:00.000Z' }
    const record =
      page.type === 'link' ? { ...page, target } : { ...page, ...times, slug: `own-${page.slug}` }
    edits.set(pageKey(id), page.file === 'more.md' ? { ...record, title: 'Another' } : record)
  }
  const [first, ...others] = space.content.tree.children
  edits.set(TREE_KEY, { children: [...others, first!] })
  space.edit({ edits, documents: [] })

  const { content } = space
  const empty = memorySource({}, space.documents)
  const written = new Map<string, Uint8Array>()
  for (const [path, file] of await filesOfRevision(empty, content, content))
    written.set(path, file.kind === 'bytes' ? file.bytes : space.documents.get(file.hash)!)
  const source = memorySource(Object.fromEntries(written), space.documents)
  const entries = new Map(source.entries.map(entry => [entry.path, entry]))
  const side = { content, project: await projectOfRevision(source, content), entries }
  const summary = encodeDocument(written.get('SUMMARY.md')!)
  space.documents.set(summary.hash, summary.body)
  const plan = await planImport(
    source,
    { ...withBlobIds(content, [side]), summary: summary.hash },
    {
      ...{
        projectDirectory: '',
        committedAt: '2031-01-01T00:00:00.000Z',
        fileBytesMax: 10,
        onProgress: () => {},
      },
      newId: () => assert.fail('nothing is new'),
    },
  )
  assert.deepEqual([...plan.edits], [])
  assert.deepEqual(source.reads, ['.gitbook/vars.yaml'], 'and no page is read')
})
