import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atOnce } from '../../../test/support/compute.ts'
import { type Files, MemorySpace } from '../../../test/support/memory-source.ts'
import type { Failure } from '../../base/errors.ts'
import { type PageRecord, pageKey } from '../../engines/content/records.ts'
import type { TreeEntry } from '../../platform/tree-source.ts'

const SUMMARY = `# Table of contents

* [Introduction](README.md)

## Guides <a href="#handbook" id="handbook"></a>

* [Set up](guides/setup/README.md)
  * [On Linux](guides/setup/linux.md)
  * [Support](https://example.com/support)
* [Upgrade](guides/upgrade.md)
`
const FILES: Files = {
  'SUMMARY.md': SUMMARY,
  'README.md': '# Welcome\r\n\r\nHello.  \r\n',
  'guides/setup/README.md': '---\ndescription: How to begin\n---\n\n# Set up\n',
  'guides/setup/linux.md':
    '\ufeff# On Linux\n\nUse the package manager of your distribution.\nThen start the service.\n',
  'guides/upgrade.md': '# Upgrade\n\nStop it, replace it, start it.\n',
  '.gitbook/assets/logo.png': 'pixels',
}

const isFailure = (code: string) => (error: Failure) => error.code === code
const codes = (problems: readonly { code: string }[]) => problems.map(({ code }) => code)

test('SUMMARY.md becomes the tree: groups, nesting, order, external links', async () => {
  const space = new MemorySpace()
  const { problems, pages, files } = await space.import(FILES)
  assert.deepEqual(space.tree(), [
    'readme | Introduction',
    '# handbook | Guides',
    '  setup | Set up',
    '    linux | On Linux',
    '    -> Support',
    '  upgrade | Upgrade',
  ])
  assert.deepEqual(problems, [])
  // A group and a link are no pages that are written.
  assert.deepEqual([pages, files], [4, 1])
  assert.equal(space.page('guides/setup/README.md').description, 'How to begin')
  const link = [...space.content.pages.values()].find(({ type }) => type === 'link')
  assert.deepEqual(link?.target, { kind: 'url', url: 'https://example.com/support' })
})

test('documents, SUMMARY.md and .gitbook.yaml keep their bytes: line ends, BOM, trailing spaces', async () => {
  const space = new MemorySpace()
  const config = '\ufeffroot: ./\r\n'
  await space.import({ ...FILES, '.gitbook.yaml': config })
  for (const file of ['README.md', 'guides/setup/README.md', 'guides/setup/linux.md', 'guides/upgrade.md'])
    assert.equal(space.text(file), FILES[file])
  const textOf = (hash: string | null) => Buffer.from(space.documents.get(hash ?? '') ?? '').toString()
  assert.equal(textOf(space.content.summary), SUMMARY)
  assert.equal(textOf(space.content.config), config)
})

test('the same files again give no edit, and nothing is read', async () => {
  const space = new MemorySpace()
  await space.import(FILES)
  const again = await space.import(FILES, { committedAt: '2031-01-01T00:00:00.000Z' })
  assert.equal(again.edits.size, 0)
  assert.equal(again.documents.length, 0)
  assert.deepEqual(again.reads, [])
  assert.deepEqual(again.kept, [])
})

test('SUMMARY.md and .gitbook.yaml are parsed anew only when they, or the files that there are, changed', async t => {
  const space = new MemorySpace()
  const { mock } = t.mock.method(atOnce, 'run')
  const parsed = async (files: Files) => {
    mock.resetCalls()
    await space.import(files)
    const names = mock.calls.map(({ arguments: [name] }) => name)
    return names.filter(name => name === 'gitbookConfig' || name === 'summaryOutline')
  }
  const files = {
    ...FILES,
    'SUMMARY.md': `${SUMMARY}* [Late](late.md)\n`,
    '.gitbook.yaml': 'root: ./ # here\n',
  }
  assert.deepEqual(await parsed(files), ['gitbookConfig', 'summaryOutline'])
  assert.deepEqual(await parsed({ ...files, 'README.md': '# Other words\n' }), [])
  const late = { ...files, 'late.md': '# Late\n' }
  assert.deepEqual(await parsed(late), ['summaryOutline'])
  assert.equal(space.page('late.md').title, 'Late')
  assert.deepEqual(await parsed({ ...late, '.gitbook.yaml': 'root: .\n' }), ['gitbookConfig'])
  assert.ok((await parsed({ ...late, 'SUMMARY.md': SUMMARY })).includes('summaryOutline'))
})

test('an edited page is one edit and one read, keeps its id and bears the time of the commit', async () => {
  const space = new MemorySpace()
  await space.import(FILES)
  const before = space.page('guides/upgrade.md')
  const step = await space.import(
    { ...FILES, 'guides/upgrade.md': '# Upgrade\n\nOther words.\n' },
    { committedAt: '2031-01-01T00:00:00.000Z' },
  )
  assert.deepEqual([...step.edits.keys()], [`page/${before.id}`])
  assert.equal(step.documents.length, 1)
  assert.deepEqual(step.reads, ['guides/upgrade.md'])
  const after = space.page('guides/upgrade.md')
  assert.equal(before.updatedAt, undefined)
  assert.equal(after.updatedAt, '2031-01-01T00:00:00.000Z')
  assert.equal(space.text('guides/upgrade.md'), '# Upgrade\n\nOther words.\n')
})

const renamed = (from: string, to: string, text?: string): Files => {
  const { [from]: bytes, ...rest } = FILES
  return { ...rest, [to]: text ?? (bytes as string), 'SUMMARY.md': SUMMARY.replace(from, to) }
}

test('a renamed page keeps its id, is not read again and was not edited', async () => {
  const space = new MemorySpace()
  await space.import(FILES)
  const { id } = space.page('guides/setup/linux.md')
  const step = await space.import(renamed('guides/setup/linux.md', 'guides/setup/gnu.md'))
  const page = space.page('guides/setup/gnu.md')
  assert.equal(page.id, id)
  assert.equal(page.slug, 'gnu')
  assert.equal(page.updatedAt, undefined)
  assert.deepEqual(step.reads, ['SUMMARY.md'])
  assert.deepEqual([...step.edits.keys()].sort(), ['git/summary', `page/${id}`])
})

test('a page that was renamed and edited in one commit keeps its id, by the words it kept', async () => {
  const space = new MemorySpace()
  await space.import(FILES)
  const { id } = space.page('guides/setup/linux.md')
  await space.import(
    renamed(
      'guides/setup/linux.md',
      'guides/setup/gnu.md',
      '# On GNU\n\nUse the package manager of your distribution.\nThen start the service.\nThat is all.\n',
    ),
  )
  assert.equal(space.page('guides/setup/gnu.md').id, id)
})

test('a page that has nothing of the one that went is a new page', async () => {
  const space = new MemorySpace()
  await space.import(FILES)
  const { id } = space.page('guides/setup/linux.md')
  const step = await space.import(
    renamed('guides/setup/linux.md', 'guides/setup/gnu.md', '# Something\n\nelse\n'),
  )
  assert.notEqual(space.page('guides/setup/gnu.md').id, id)
  assert.equal(step.edits.get(`page/${id}`), null)
})

test('two pages that swap their files keep the ids of the files', async () => {
  const space = new MemorySpace()
  const files = {
    'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n',
    'a.md': '# A\n\nfirst',
    'b.md': '# B\n\nsecond',
  }
  await space.import(files)
  const [a, b] = [space.page('a.md').id, space.page('b.md').id]
  await space.import({ ...files, 'a.md': files['b.md'], 'b.md': files['a.md'] })
  assert.deepEqual([space.page('a.md').id, space.page('b.md').id], [a, b])
})

test('what leaves the repository leaves the space', async () => {
  const space = new MemorySpace()
  await space.import(FILES)
  const { id } = space.page('guides/upgrade.md')
  const { 'guides/upgrade.md': _, '.gitbook/assets/logo.png': _logo, ...rest } = FILES
  await space.import({ ...rest, 'SUMMARY.md': SUMMARY.replace('* [Upgrade](guides/upgrade.md)\n', '') })
  assert.equal(space.content.pages.has(id), false)
  assert.equal(space.content.files.size, 0)
})

test('a title comes from the frontmatter, else from SUMMARY.md, else from the first heading, else from the name', async () => {
  const space = new MemorySpace()
  await space.import({
    'SUMMARY.md': '* [Summary](a.md)\n* [Summary](b.md)\n* [](c.md)\n* [](set-up.md)\n',
    'a.md': '---\ntitle: Front\n---\n# Heading\n',
    'b.md': '# Heading\n',
    'c.md': 'text\n\n## A *second* level\n\n# Heading `code`\n',
    'set-up.md': 'no heading',
  })
  const titles = ['a.md', 'b.md', 'c.md', 'set-up.md'].map(file => space.page(file).title)
  assert.deepEqual(titles, ['Front', 'Summary', 'Heading code', 'Set up'])
})

test('the quoted title of an entry is what the navigation calls it, and follows SUMMARY.md', async () => {
  const summary = (title: string) =>
    `* [The whole introduction](README.md${title})\n* [All about help](https://example.com "Help")\n`
  const space = new MemorySpace()
  await space.import({ 'SUMMARY.md': summary(' "Intro"'), 'README.md': '# Any\n' })
  const { title, linkTitle } = space.page('README.md')
  assert.deepEqual([title, linkTitle], ['The whole introduction', 'Intro'])
  const link = [...space.content.pages.values()].find(({ type }) => type === 'link')
  assert.deepEqual([link?.title, link?.linkTitle], ['All about help', 'Help'])
  await space.import({ 'SUMMARY.md': summary(" 'Start'"), 'README.md': '# Any\n' })
  assert.equal(space.page('README.md').linkTitle, 'Start')
  await space.import({ 'SUMMARY.md': summary(''), 'README.md': '# Any\n' })
  assert.ok(!('linkTitle' in space.page('README.md')))
})

test('a new title in SUMMARY.md reaches an unchanged page, but not one with a title of its own', async () => {
  const space = new MemorySpace()
  const files = { 'a.md': '---\ntitle: Front\n---\n', 'b.md': 'b' }
  await space.import({ ...files, 'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n' })
  await space.import({ ...files, 'SUMMARY.md': '* [A2](a.md)\n* [B2](b.md)\n' })
  assert.deepEqual([space.page('a.md').title, space.page('b.md').title], ['Front', 'B2'])
})

test('frontmatter becomes fields of the page', async () => {
  const space = new MemorySpace()
  await space.import({
    'SUMMARY.md': '* [A](guides/a.md)\n',
    'guides/a.md':
      '---\ndescription: >-\n  Two\n  lines\nicon: bolt\nhidden: true\nnoIndex: true\ncover: ../.gitbook/assets/c.png\ncoverY: 12\nlayout:\n  width: wide\n  outline:\n    visible: false\n---\n# A\n',
    '.gitbook/assets/c.png': 'pixels',
  })
  const page = space.page('guides/a.md')
  const [file] = [...space.content.files.keys()]
  assert.equal(page.description, 'Two lines')
  assert.equal(page.icon, 'bolt')
  assert.equal(page.hidden, true)
  assert.equal(page.noIndex, true)
  assert.deepEqual(page.cover, { ref: { kind: 'file', file }, yPos: 12 })
  assert.deepEqual(page.layout, { width: 'wide', outline: false })
})

test('a cover whose file came later, or moved with its page, is found', async () => {
  const space = new MemorySpace()
  const page = '---\ncover: c.png\n---\n# A\n'
  await space.import({ 'SUMMARY.md': '* [A](a.md)\n', 'a.md': page })
  assert.equal(space.page('a.md').cover?.ref, undefined)
  await space.import({ 'SUMMARY.md': '* [A](a.md)\n', 'a.md': page, 'c.png': 'pixels' })
  const [file] = [...space.content.files.keys()]
  assert.deepEqual(space.page('a.md').cover?.ref, { kind: 'file', file })
  await space.import({ 'SUMMARY.md': '* [A](x/a.md)\n', 'x/a.md': page, 'c.png': 'pixels' })
  assert.equal(space.page('x/a.md').cover?.ref, undefined, 'x/c.png is not there')
})

test('the readme comes first when SUMMARY.md forgets it', async () => {
  const space = new MemorySpace()
  await space.import({ 'SUMMARY.md': '* [A](a.md)\n', 'a.md': '# A', 'README.md': '# Hello' })
  assert.deepEqual(space.tree(), ['readme | Hello', 'a | A'])
})

test('a page listed twice is there once, and its second entry leads to it', async () => {
  const space = new MemorySpace()
  await space.import({
    'SUMMARY.md': '* [A](a.md)\n* [Again](./a.md)\n* [Part](a.md#part)\n',
    'a.md': '# A',
  })
  assert.deepEqual(space.tree(), ['a | A', '-> Again', '-> Part'])
  const page = space.page('a.md').id
  const targets = [...space.content.pages.values()].flatMap(({ target }) =>
    target === undefined ? [] : [target],
  )
  assert.deepEqual(targets, [
    { kind: 'page', page },
    { kind: 'anchor', anchor: 'part', page },
  ])
})

test('an entry whose file is missing, or that names none, is a page without document', async () => {
  const space = new MemorySpace()
  const { problems } = await space.import({
    'SUMMARY.md': '* [A](a.md)\n* [Gone](gone.md)\n* Only words\n  * [B](b.md)\n',
    'a.md': '# A',
    'b.md': '# B',
  })
  assert.deepEqual(space.tree(), ['a | A', 'gone | Gone', 'only-words | Only words', '  b | B'])
  assert.equal(space.page('gone.md').document, null)
  assert.deepEqual(
    problems.map(({ code, file }) => [code, file]),
    [['page_missing', 'gone.md']],
  )
  const { id } = space.page('gone.md')
  await space.import({ 'SUMMARY.md': '* [A](a.md)\n* [Gone](gone.md)\n', 'a.md': '# A', 'gone.md': '# Back' })
  assert.equal(space.page('gone.md').id, id, 'it is the same page once the file is there')
})

test('an empty file that comes for an entry without one is imported as it is the first time', async () => {
  const summary = '* [A](a.md)\n* [Old](b.md)\n* [Old](c.md)\n'
  const before = {
    'SUMMARY.md': summary,
    'a.md': '# A',
    'c.md': Buffer.alloc(10 * 1024 * 1024 + 1, 32),
  }
  for (const after of [
    { 'a.md': '# A', 'b.md': '', 'c.md': '' },
    { 'SUMMARY.md': summary, 'a.md': '# A', 'b.md': '', 'c.md': '' },
  ]) {
    const [space, fresh] = [new MemorySpace(), new MemorySpace()]
    await space.import(before)
    await space.import(after)
    await fresh.import(after)
    for (const file of ['b.md', 'c.md']) {
      const [{ title, document }, first] = [space.page(file), fresh.page(file)]
      assert.notEqual(document, null)
      assert.deepEqual([title, document], [first.title, first.document])
    }
    assert.equal((await space.import(after)).edits.size, 0)
  }
})

test('a link that SUMMARY.md cannot say stays the page that it was, while it has its title and nothing below it', async () => {
  const space = new MemorySpace()
  await space.import(FILES)
  const [[id, record]] = [...space.content.pages].filter(([, { type }]) => type === 'link') as [
    [string, PageRecord],
  ]
  const target = { kind: 'page', page: 'there', space: 'another' } as const
  space.edit({ edits: new Map([[pageKey(id), { ...record, target }]]), documents: [] })
  const files = {
    ...FILES,
    'SUMMARY.md': SUMMARY.replace('[Support](https://example.com/support)', 'Support'),
  }
  await space.import(files)
  assert.deepEqual(space.content.pages.get(id)?.target, target)
  await space.import({ ...files, 'SUMMARY.md': files['SUMMARY.md'].replace('Support', 'Help') })
  assert.equal(space.content.pages.has(id), false)
})

test('siblings that would have one address get numbers, and keep them when others come', async () => {
  const space = new MemorySpace()
  const files = { 'a/x.md': '1', 'b/x.md': '2' }
  await space.import({ ...files, 'SUMMARY.md': '* [1](a/x.md)\n* [2](b/x.md)\n' })
  assert.deepEqual(space.tree(), ['x | 1', 'x-1 | 2'])
  await space.import({
    ...files,
    'c/x.md': '3',
    'SUMMARY.md': '* [3](c/x.md)\n* [1](a/x.md)\n* [2](b/x.md)\n',
  })
  assert.deepEqual(space.tree(), ['x-2 | 3', 'x | 1', 'x-1 | 2'])
})

test('entries that leave the repository name no file', async () => {
  const space = new MemorySpace()
  const { problems } = await space.import({
    'SUMMARY.md':
      '* [A](a.md)\n* [Up](../../etc/passwd.md)\n* [Dot](a/../../b.md)\n* [Enc](%2e%2e/%2e%2e/c.md)\n',
    'a.md': '# A',
  })
  assert.deepEqual(space.tree(), ['a | A', 'up | Up', 'dot | Dot', 'enc | Enc'])
  assert.ok([...space.content.pages.values()].every(({ file }) => file === undefined || file === 'a.md'))
  assert.deepEqual(codes(problems), ['path_outside', 'path_outside', 'path_outside'])
})

test('addresses that are neither web nor email addresses are not kept as links', async () => {
  const space = new MemorySpace()
  const { problems } = await space.import({
    'SUMMARY.md':
      '* [A](a.md)\n* [Script](javascript:alert(1))\n* [Data](data:text/html,x)\n* [Mail](mailto:a@example.com)\n* [Host](//example.com/x)\n',
    'a.md': '# A',
  })
  const targets = [...space.content.pages.values()].flatMap(({ target }) =>
    target?.kind === 'url' ? [target.url] : [],
  )
  assert.deepEqual(targets.sort(), ['https://example.com/x', 'mailto:a@example.com'])
  assert.deepEqual(codes(problems), ['link_refused', 'link_refused'])
})

test('a group that is renamed keeps its id by its pages, and links keep theirs', async () => {
  const space = new MemorySpace()
  await space.import(FILES)
  const idOf = (title: string) => [...space.content.pages].find(([, page]) => page.title === title)?.[0]
  const [group, link] = [idOf('Guides'), idOf('Support')]
  await space.import({
    ...FILES,
    'SUMMARY.md': SUMMARY.replace(/## Guides.*/, '## Manuals').replace(
      '[Support](https://example.com/support)',
      '[Help](https://example.com/support)',
    ),
  })
  assert.deepEqual([idOf('Manuals'), idOf('Help')], [group, link])
})

test('a repository without SUMMARY.md is read in the order of its folders', async () => {
  const space = new MemorySpace()
  await space.import({
    'README.md': '# Home',
    'b.md': '# B',
    'a/README.md': '# Folder A',
    'a/1.md': '# One',
    'plain-folder/x.md': '# X',
    '.github/NOTES.md': '# Not a page',
    'node_modules/p/README.md': '# Not a page either',
  })
  assert.deepEqual(space.tree(), [
    'readme | Home',
    'a | Folder A',
    '  1 | One',
    'b | B',
    'plain-folder | Plain folder',
    '  x | X',
  ])
})

test('a project below a directory is all there is: what lies beside it is neither seen nor reached', async () => {
  const space = new MemorySpace()
  const files: Files = {
    'docs/.gitbook.yaml': 'root: ./content/\nstructure:\n  readme: start.md\n  summary: toc.md\n',
    'docs/content/toc.md': '* [Start](start.md)\n* [Out](../secret.md)\n',
    'docs/content/start.md': '# Start',
    'docs/secret.md': '# Secret',
    'README.md': '# Top',
  }
  const inDocs = Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith('docs/')))
  await space.import(inDocs, { projectDirectory: 'docs' })
  assert.deepEqual(space.tree(), ['start | Start', 'out | Out'])
  assert.equal(space.page('start.md').file, 'start.md')
})

test('a root that leaves the repository is not followed', async () => {
  const space = new MemorySpace()
  const { problems } = await space.import({ '.gitbook.yaml': 'root: ../../etc\n', 'README.md': '# Hello' })
  assert.deepEqual(space.tree(), ['readme | Hello'])
  assert.deepEqual(codes(problems), ['config_path_invalid'])
})

test('an import fails, and says why, when there is nothing to make pages of', async () => {
  const fails = (files: Files, code: string) =>
    assert.rejects(new MemorySpace().import(files), isFailure(code), code)
  await fails({ 'main.c': 'int x;' }, 'markdown_missing')
  await fails({ 'SUMMARY.md': '* [A](a.md)\n', 'b.md': '# B' }, 'summary_empty')
  await fails({ 'SUMMARY.md': 'Only words.', 'b.md': '# B' }, 'summary_empty')
  await fails({ 'SUMMARY.md': Buffer.from([0xff, 0xfe, 0x00, 0x41]), 'b.md': '# B' }, 'summary_not_text')
  await fails({ 'SUMMARY.md': '* [A](a.md)\n\u0000', 'a.md': '' }, 'summary_not_text')
  await fails({ '.gitbook.yaml': 'structure:\n  summary: toc.md\n', 'b.md': '# B' }, 'summary_missing')
  await fails({ '.gitbook.yaml': 'root: [', 'b.md': '# B' }, 'config_invalid')
  await fails({ 'SUMMARY.md': `* [A](a.md)\n${' '.repeat(2_100_000)}`, 'a.md': '' }, 'summary_too_large')
})

test('files of a space are assets, and images and documents anywhere, but nothing of hidden folders', async () => {
  const space = new MemorySpace()
  await space.import({
    'README.md': '# Hello',
    '.gitbook/assets/anything': 'x',
    'images/a.PNG': 'a',
    'paper.pdf': 'p',
    'src/main.c': 'c',
    '.github/logo.png': 'g',
    'node_modules/x/logo.png': 'n',
  })
  assert.deepEqual([...space.content.files.values()].map(({ file }) => file).sort(), [
    '.gitbook/assets/anything',
    'images/a.PNG',
    'paper.pdf',
  ])
})

test('a file keeps its id when it moves or changes, and is kept once', async () => {
  const space = new MemorySpace()
  await space.import({ 'README.md': '', 'a.png': 'pixels', 'b.png': 'others' })
  const idOf = (file: string) => [...space.content.files].find(([, record]) => record.file === file)?.[0]
  const [a, b] = [idOf('a.png'), idOf('b.png')]
  const step = await space.import({ 'README.md': '', 'img/a.png': 'pixels', 'b.png': 'changed' })
  assert.deepEqual([idOf('img/a.png'), idOf('b.png')], [a, b])
  assert.deepEqual(step.kept, ['b.png'])
})

test('a file that is too large is left out and named', async () => {
  const space = new MemorySpace()
  const { problems } = await space.import(
    { 'README.md': '', 'a.zip': 'x'.repeat(200) },
    { fileBytesMax: 100 },
  )
  assert.equal(space.content.files.size, 0)
  assert.deepEqual(
    problems.map(({ code, file }) => [code, file]),
    [['file_too_large', 'a.zip']],
  )
})

test('includes are reusable contents and keep their ids, vars.yaml gives variables', async () => {
  const space = new MemorySpace()
  const files = {
    'README.md': '',
    '.gitbook/includes/note.md': '---\ntitle: A note\n---\nText\n',
    '.gitbook/vars.yaml': 'version: 1.2.3\nstable: true\nyear: 2030\nnested:\n  a: 1\n',
  }
  const { problems } = await space.import(files)
  const [[id, note] = ['']] = space.content.reusables
  assert.equal(note?.title, 'A note')
  assert.deepEqual(Object.fromEntries(space.content.variables), {
    stable: true,
    version: '1.2.3',
    year: 2030,
  })
  assert.deepEqual(codes(problems), ['variable_skipped'])
  assert.equal((await space.import(files)).edits.size, 0)
  const { '.gitbook/includes/note.md': text, ...rest } = files
  await space.import({ ...rest, '.gitbook/includes/hint.md': text })
  assert.deepEqual([...space.content.reusables.keys()], [id])
})

test('links, submodules and names that are no text are left out and named', async () => {
  const space = new MemorySpace()
  const odd: TreeEntry[] = [
    { path: 'link.md', kind: 'symlink', oid: '1'.repeat(40), size: 11 },
    { path: 'module', kind: 'submodule', oid: '2'.repeat(40), size: 0 },
    { path: 'caf\ufffd.md', kind: 'file', oid: '3'.repeat(40), size: 3, oddity: 'not_utf8' },
    { path: '../up.md', kind: 'file', oid: '4'.repeat(40), size: 3, oddity: 'unsafe' },
  ]
  const { problems } = await space.import({ 'README.md': '# Hello' }, {}, odd)
  assert.deepEqual(space.tree(), ['readme | Hello'])
  assert.deepEqual(codes(problems).sort(), [
    'name_skipped',
    'name_skipped',
    'submodule_skipped',
    'symlink_skipped',
  ])
})

test('a page that is no UTF-8 keeps its bytes, and that is said', async () => {
  const space = new MemorySpace()
  const bytes = Buffer.from('# Caf\xe9\n', 'latin1')
  const { problems } = await space.import({ 'SUMMARY.md': '* [Cafe](a.md)\n', 'a.md': bytes })
  assert.deepEqual(Buffer.from(space.documents.get(space.page('a.md').document ?? '') ?? ''), bytes)
  assert.deepEqual(codes(problems), ['encoding_invalid'])
})

test('a YAML bomb in the frontmatter of a page costs nothing but a problem', async () => {
  const space = new MemorySpace()
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'
      .split('')
      .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]`),
  ]
  const { problems } = await space.import({
    'README.md': `---\n${bomb.join('\n')}\ntitle: *i\n---\n# Hello\n`,
  })
  assert.deepEqual(space.tree(), ['readme | Hello'])
  assert.deepEqual(codes(problems), ['frontmatter_invalid'])
})

test('a page larger than a page may be is listed without its words', async () => {
  const space = new MemorySpace()
  const { problems } = await space.import({
    'README.md': '# Hello',
    'big.md': Buffer.alloc(10 * 1024 * 1024 + 1, 32),
  })
  assert.equal(space.page('big.md').document, null)
  assert.deepEqual(codes(problems), ['page_too_large'])
})

test('an include that grows larger than a page may be stays as it was, and that is said', async () => {
  const space = new MemorySpace()
  const [note, other] = ['.gitbook/includes/note.md', '.gitbook/includes/other.md']
  await space.import({ 'README.md': '', [note]: '# A note' })
  const before = [...space.content.reusables]
  const tooLarge = Buffer.alloc(10 * 1024 * 1024 + 1, 32)
  const files = { 'README.md': '', [note]: tooLarge, [other]: tooLarge }
  const { problems, edits } = await space.import(files)
  assert.deepEqual([...space.content.reusables], before)
  assert.equal(edits.size, 0)
  assert.deepEqual(
    problems.map(({ code, file }) => [code, file]),
    [
      ['include_too_large', note],
      ['include_too_large', other],
    ],
  )
  const [grown, added] = problems.map(({ message }) => message)
  assert.match(grown ?? '', /stays as it was/)
  assert.doesNotMatch(added ?? '', /stays/, 'there was none before')
  await space.import({ ...files, [note]: '# A shorter note' })
  assert.deepEqual(
    [...space.content.reusables].map(([id, { title }]) => [id, title]),
    [[before[0]?.[0], 'A shorter note']],
  )
})

test('an include that grows larger than a page may be and moves is gone, and it is not said to stay', async () => {
  const space = new MemorySpace()
  await space.import({ 'README.md': '', '.gitbook/includes/note.md': '# A note' })
  const { problems } = await space.import({
    'README.md': '',
    '.gitbook/includes/moved.md': Buffer.alloc(10 * 1024 * 1024 + 1, 32),
  })
  assert.equal(space.content.reusables.size, 0)
  assert.deepEqual(codes(problems), ['include_too_large'])
  assert.doesNotMatch(problems[0]?.message ?? '', /stays/)
})

test('an include written here stays where the repository has one at its path that is too large', async () => {
  const space = new MemorySpace()
  await space.import({ 'README.md': '' })
  const written = new MemorySpace()
  const note = '.gitbook/includes/note.md'
  await written.import({ 'README.md': '', [note]: '# A note' })
  const files = { 'README.md': '', [note]: Buffer.alloc(10 * 1024 * 1024 + 1, 32) }
  const { problems, edits } = await space.import(files, { here: written.content })
  assert.equal(edits.size, 0)
  assert.match(problems[0]?.message ?? '', /stays as it was/)
})

test('nesting beyond what a tree may have is made flat, and no page is lost', async () => {
  const space = new MemorySpace()
  const names = Array.from({ length: 40 }, (_, at) => `p${at}.md`)
  const files = Object.fromEntries(names.map(name => [name, `# ${name}`]))
  const summary = names.map((name, at) => `${'  '.repeat(at)}* [${name}](${name})`).join('\n')
  const { problems } = await space.import({ ...files, 'SUMMARY.md': summary })
  for (const name of names) space.page(name)
  assert.ok(codes(problems).includes('nested_too_deep'))
})

test('titles are one line of plain text, whatever SUMMARY.md and frontmatter put there', async () => {
  const space = new MemorySpace()
  await space.import({
    'SUMMARY.md': '* [**Bold** `code` &amp; more](a.md)\n* [B](b.md)\n',
    'a.md': '',
    'b.md': '---\ntitle: "x\\0y\\uD800 z\\n w"\n---\n',
  })
  assert.equal(space.page('a.md').title, 'Bold code & more')
  const { title } = space.page('b.md')
  assert.ok(title.isWellFormed() && !/[\u0000-\u001f]/.test(title), JSON.stringify(title))
})

test('an entry to a heading leads to its page, wherever the page itself is listed', async () => {
  const space = new MemorySpace()
  await space.import({
    'SUMMARY.md': '* [Part](a.md#part)\n* [A](a.md)\n* [Only](b.md#part)\n',
    'a.md': '',
    'b.md': '',
  })
  assert.deepEqual(space.tree(), ['-> Part', 'a | A', 'b | Only'])
})

test('pages below a link follow it, so that none is lost', async () => {
  const space = new MemorySpace()
  const { problems } = await space.import({
    'SUMMARY.md': '* [Site](https://example.com)\n  * [A](a.md)\n    * [B](b.md)\n',
    'a.md': '',
    'b.md': '',
  })
  assert.deepEqual(space.tree(), ['-> Site', 'a | A', '  b | B'])
  assert.deepEqual(codes(problems), ['link_children'])
})

test('a SUMMARY.md in a folder may name files from there or from the top', async () => {
  const space = new MemorySpace()
  await space.import({
    '.gitbook.yaml': 'structure:\n  summary: toc/SUMMARY.md\n',
    'toc/SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n* [C](../c.md)\n',
    'toc/a.md': '',
    'b.md': '',
    'c.md': '',
  })
  assert.deepEqual(
    [...space.content.pages.values()].map(({ file }) => file),
    ['toc/a.md', 'b.md', 'c.md'],
  )
})

test('an entry to a file of the space is a link to it, one to a file that is not there keeps no claim', async () => {
  const space = new MemorySpace()
  const { problems } = await space.import({
    'SUMMARY.md': '* [A](a.md)\n* [Paper](paper.pdf)\n* [Gone](gone.pdf)\n* [Code](main.c)\n',
    'a.md': '',
    'paper.pdf': 'p',
    'main.c': 'c',
  })
  assert.deepEqual(space.tree(), ['a | A', '-> Paper', 'gone | Gone', 'code | Code'])
  const [file] = [...space.content.files.keys()]
  assert.deepEqual([...space.content.pages.values()][1]?.target, { kind: 'file', file })
  assert.deepEqual(codes(problems), ['page_missing', 'file_not_kept'])
})

test('more pages, or more new Markdown, than one space or import holds is refused', async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `* [${at}](p${at}.md)`)
  await assert.rejects(
    new MemorySpace().import({ 'SUMMARY.md': ['* [A](a.md)', ...lines].join('\n'), 'a.md': '' }),
    isFailure('too_many_pages'),
  )
  const size = 10 * 1024 * 1024
  const large = (folder: string, length: number) =>
    Array.from(
      { length },
      (_, at): TreeEntry => ({ path: `${folder}${at}.md`, kind: 'file', oid: '1'.repeat(40), size }),
    )
  const importWith = (...entries: TreeEntry[]) => new MemorySpace().import({ 'README.md': '' }, {}, entries)
  await assert.rejects(importWith(...large('', 26)), isFailure('content_too_large'))
  const ofIncludes = '.gitbook/includes/'
  await assert.rejects(importWith(...large(ofIncludes, 26)), isFailure('content_too_large'))
})

test('the Markdown of pages and of includes counts together', async () => {
  const size = 10 * 1024 * 1024
  const page = Buffer.alloc(size, 32)
  const pages = Object.fromEntries(Array.from({ length: 2 }, (_, at) => [`${at}.md`, page]))
  const includes = Array.from(
    { length: 24 },
    (_, at): TreeEntry => ({
      path: `.gitbook/includes/${at}.md`,
      ...{ kind: 'file', oid: '1'.repeat(40), size },
    }),
  )
  await assert.rejects(
    new MemorySpace().import({ 'README.md': '', ...pages }, {}, includes),
    isFailure('content_too_large'),
  )
})

test('a cover is lost with the name of its file, not kept by the id of the file', async () => {
  const space = new MemorySpace()
  const page = { 'SUMMARY.md': '* [A](a.md)\n', 'a.md': '---\ncover: c.png\n---\n# A\n' }
  await space.import({ ...page, 'c.png': 'pixels' })
  await space.import({ ...page, 'd.png': 'pixels' })
  assert.equal(space.content.files.size, 1)
  assert.deepEqual(space.page('a.md').cover, { yPos: 0 })
})

test('of pages with equal bytes, each is known again by its name, else by its place', async () => {
  const space = new MemorySpace()
  const at = (...files: string[]): Files => ({
    ...Object.fromEntries(files.map(file => [file, 'same'])),
    'SUMMARY.md': files.map(file => `* [${file}](${file})`).join('\n'),
  })
  const idsOf = (...files: string[]) => files.map(file => space.page(file).id)
  await space.import(at('x/b.md', 'x/a.md'))
  const [b, a] = idsOf('x/b.md', 'x/a.md')
  await space.import(at('y/a.md', 'y/b.md'))
  assert.deepEqual(idsOf('y/a.md', 'y/b.md'), [a, b])
  await space.import(at('z/1.md', 'z/2.md'))
  assert.deepEqual(idsOf('z/1.md', 'z/2.md'), [a, b])
})

test('files with equal bytes are two files, and bytes under another ending are looked at again', async () => {
  const space = new MemorySpace()
  await space.import({ 'README.md': '', 'a.png': 'pixels' })
  const step = await space.import({ 'README.md': '', 'a.png': 'pixels', 'b.png': 'pixels' })
  assert.equal(space.content.files.size, 2)
  assert.deepEqual(step.kept, [])
  const { kept } = await space.import({ 'README.md': '', 'a.pdf': 'pixels' })
  assert.deepEqual(kept, ['a.pdf'])
})

test('an include that is edited keeps its id, and two with equal bytes are two', async () => {
  const space = new MemorySpace()
  const include = (name: string) => `.gitbook/includes/${name}.md`
  await space.import({ 'README.md': '', [include('a')]: '# A' })
  const [id] = [...space.content.reusables.keys()]
  await space.import({ 'README.md': '', [include('a')]: '# B' })
  assert.deepEqual(
    [...space.content.reusables].map(([key, { title }]) => [key, title]),
    [[id, 'B']],
  )
  await space.import({ 'README.md': '', [include('c')]: '# B', [include('d')]: '# B' })
  assert.equal(space.content.reusables.size, 2)
  assert.ok(space.content.reusables.has(id ?? ''))
})

test('a record holds only what differs from the default', async () => {
  const space = new MemorySpace()
  await space.import({
    'SUMMARY.md': '* [A](a.md)\n',
    'a.md':
      '---\nhidden: false\nnoIndex: false\nlayout:\n  width: default\n  cover:\n    visible: true\n    size: hero\n---\n',
  })
  const { id: _, document: _d, oid: _o, ...record } = space.page('a.md')
  assert.deepEqual(record, {
    type: 'document',
    title: 'A',
    slug: 'a',
    parent: null,
    children: [],
    file: 'a.md',
  })
})

test('variables that JSON or PostgreSQL could not keep are left out and named', async () => {
  const space = new MemorySpace()
  const { problems } = await space.import({
    'README.md': '',
    '.gitbook/vars.yaml': 'endless: .inf\nnone: .nan\n"a\\0b": 1\n"\\uD800": 1\nempty:\ngood: "x\\0y"\n',
  })
  assert.deepEqual([...space.content.variables], [['good', 'x\ufffdy']])
  assert.deepEqual(new Set(codes(problems)), new Set(['variable_skipped']))
})

test('a variable that is left out is reported with the reason', async () => {
  const many = Array.from({ length: 2_001 }, (_, at) => `v${at}: ${at}`)
  const odd = ['nested: {a: 1}', '"": 1', `${'n'.repeat(300)}: 1`]
  const { problems } = await new MemorySpace().import({
    'README.md': '',
    '.gitbook/vars.yaml': [...odd, ...many].join('\n'),
  })
  assert.deepEqual(
    problems.map(({ message }) => message.replace(/^The variable n{9,}/, 'The variable n…')),
    [
      'The variable nested was left out: it is not a text, number or boolean, or is too long.',
      'The variable  was left out: its name is empty, too long or has control characters.',
      'The variable n… was left out: its name is empty, too long or has control characters.',
      'The variable v2000 was left out: an import takes at most 2000.',
    ],
  )
})

test('a page that lost its file is not taken for an entry without one', async () => {
  const space = new MemorySpace()
  await space.import({ 'SUMMARY.md': '* [A](a.md)\n* [Notes](notes.md)\n', 'a.md': '', 'notes.md': 'words' })
  const { id } = space.page('notes.md')
  await space.import({ 'SUMMARY.md': '* [A](a.md)\n* Notes\n', 'a.md': '' })
  assert.equal(space.content.pages.has(id), false)
})
