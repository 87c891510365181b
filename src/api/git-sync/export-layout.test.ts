// What an edit changes in a SUMMARY.md and a vars.yaml as authors write them. The way through a repository is export.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Files, MemorySpace } from '../../../test/support/memory-source.ts'
import type { Failure } from '../../base/errors.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import {
  type AnyRecord,
  type Key,
  type PageRecord,
  pageKey,
  reusableKey,
} from '../../engines/content/records.ts'

/** Tables of contents as authors write them, of the same five pages. */
const TABLES: Readonly<Record<string, string>> = {
  tabs: '# T\n\n* [Home](README.md)\n\t* [A](a.md)\n\t\t* [B](b.md)\n* [C](c.md)\n',
  'a BOM, CRLF and no last line end':
    '\ufeff# T\r\n\r\n* [Home](README.md)\r\n  * [A](a.md)\r\n    * [B](b.md)\r\n* [C](c.md)',
  numbers: '1. [Home](README.md)\n2. [A](a.md)\n   1. [B](b.md)\n3. [C](c.md)\n',
  'blank lines': '* [Home](README.md)\n\n* [A](a.md)\n\n  * [B](b.md)\n\n* [C](c.md)\n',
  'groups with anchors and groups in groups':
    '# S\n\n[Home](README.md)\n\n## One\n\n* [A](a.md)\n\n### Sub\n\n* [B](b.md)\n\n## Two <a href="#t" id="t"></a>\n\n* [C](c.md)\n',
  'a file that is listed twice':
    '* [Home](README.md)\n* [A](a.md)\n* [A again](a.md)\n* [B](b.md)\n* [C](c.md)\n',
  'a file that is not there':
    '* [Home](README.md)\n* [Gone](gone.md)\n* [A](a.md)\n  * [B](b.md)\n* [C](c.md)\n',
  'links that lead out, and to anchors':
    '* [Home](README.md)\n* [Out](https://example.com/?a=1&b=2)\n* [A](a.md)\n  * [B](b.md#x)\n* [C](./c.md)\n* [Mail](mailto:a@b.c)\n',
  'markup in titles':
    '* [**Home** `x`](README.md)\n* [A &amp; B <b>x</b>](a.md)\n  * ![i](b.md) [B](b.md)\n* [C](<c.md> "T")\n',
  'wide markers and a rule':
    '-   [Home](README.md)\n-   [A](a.md)\n    -   [B](b.md)\n-   [C](c.md)\n\n---\n\n-   [Z](https://example.com)\n',
  'words without a link': '* Words only\n  * [A](a.md)\n* [B](b.md)\n* [C](c.md)\n* [Home](README.md)\n',
  'code that looks like entries':
    '* [Home](README.md)\n\n```\n* [A](a.md)\n```\n\n* [A](a.md)\n* [B](b.md)\n* [C](c.md) and more\n',
}

/** The pages of a space, to be moved about. */
class Pages {
  readonly #space: MemorySpace
  constructor(space: MemorySpace) {
    this.#space = space
  }

  idOf(file: string): string {
    return this.#space.page(file).id
  }

  rename(file: string, title: string, text: string): void {
    const { id, ...page } = this.#space.page(file)
    const document = encodeDocument(text)
    this.#put([[id, { ...page, title, document: document.hash }]], [document])
  }

  insert(file: string, title: string, at: number): void {
    const document = encodeDocument(`# ${title}\n`)
    const page: PageRecord = {
      ...{ type: 'document', title, slug: title.toLowerCase(), parent: null, children: [] },
      ...{ document: document.hash, file },
    }
    this.#put([['new', page]], [document], this.#roots().toSpliced(at, 0, 'new'))
  }

  move(file: string, into: string): void {
    const { id, ...page } = this.#space.page(file)
    const { id: above, ...parent } = this.#space.page(into)
    const changed: [string, PageRecord][] = [
      ...this.#without(id, page),
      [id, { ...page, parent: above }],
      [above, { ...parent, children: [...parent.children.filter(child => child !== id), id] }],
    ]
    this.#put(
      changed,
      [],
      this.#roots().filter(root => root !== id),
    )
  }

  remove(file: string): void {
    const { id, ...page } = this.#space.page(file)
    assert.deepEqual(page.children, [])
    this.#put(
      [...this.#without(id, page), [id, null]],
      [],
      this.#roots().filter(root => root !== id),
    )
  }

  /** The page's parent without it. */
  #without(id: string, { parent }: PageRecord): [string, PageRecord][] {
    const page = parent === null ? undefined : this.#space.content.pages.get(parent)
    if (parent === null || page === undefined) return []
    return [[parent, { ...page, children: page.children.filter(child => child !== id) }]]
  }

  #roots = (): readonly string[] => this.#space.content.tree.children

  #put(
    pages: readonly (readonly [string, PageRecord | null])[],
    documents: readonly ReturnType<typeof encodeDocument>[],
    roots = this.#roots(),
  ): void {
    const records = pages.map(([id, page]): [Key, AnyRecord | null] => [pageKey(id), page])
    this.#space.edit({
      edits: new Map([...records, ['tree', { children: roots }]]),
      documents: [...documents],
    })
  }
}

const linesOf = (files: Files) =>
  Buffer.from(files['SUMMARY.md'] ?? '')
    .toString()
    .split('\n')
/** Lines of one that the other has not, each as often as it is there, without empty ones. */
function linesBeyond(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return all.filter(line => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0 && line.trim() !== ''
  })
}

for (const [what, summary] of Object.entries(TABLES))
  test(`a table of contents with ${what}: an edit changes its own line, and comes in again as it is`, async () => {
    const space = new MemorySpace()
    const pages = new Pages(space)
    let files: Files = {
      'SUMMARY.md': summary,
      'README.md': '# Home\r\n',
      'a.md': '\ufeff# A\n',
      'b.md': '# B',
      'c.md': '---\ntitle: C\n---\n\n# C\n',
      'd.md': '# Unlisted\n',
    }
    await space.import(files)
    let base = space.content
    const edits: readonly [() => void, number, number, readonly string[]][] = [
      [
        () => pages.rename('c.md', 'Other', '---\ntitle: Other\n---\n\n# Other\n'),
        1,
        1,
        ['SUMMARY.md', 'c.md'],
      ],
      [() => pages.insert('new.md', 'New', 1), 0, 1, ['SUMMARY.md', 'new.md']],
      [() => pages.move('c.md', 'a.md'), 1, 1, ['SUMMARY.md']],
      [() => pages.remove('b.md'), 1, 0, ['SUMMARY.md', 'b.md']],
    ]
    for (const [edit, removed, added, changed] of edits) {
      edit()
      const written: Files = await space.export(files, base)
      const paths = new Set([...Object.keys(files), ...Object.keys(written)])
      const isChanged = (path: string) =>
        Buffer.compare(Buffer.from(files[path] ?? '-'), Buffer.from(written[path] ?? '-')) !== 0
      assert.deepEqual([...paths].filter(isChanged).sort(), changed)
      const [before, after] = [linesOf(files), linesOf(written)]
      assert.deepEqual(
        [linesBeyond(before, after).length, linesBeyond(after, before).length],
        [removed, added],
        after.join('\n'),
      )
      const tree = space.tree()
      await space.import(written)
      assert.deepEqual(space.tree(), tree)
      files = written
      base = space.content
    }
  })

test('a line that would be read otherwise beside its new neighbours is written anew', async () => {
  const space = new MemorySpace()
  const summary =
    '# Contents\n\n* [T](a.md)\n* [T](a.md)\n* [T](a.md)\n* words\n## Group\n      * [No entry](a.md)\n'
  const files = { 'SUMMARY.md': summary, 'README.md': '# Home\n', 'a.md': '# T\n' }
  await space.import(files)
  const base = space.content
  const [words = '', group = ''] = base.tree.children.slice(-2)
  const children = [...base.tree.children.slice(0, -2), group, words]
  space.edit({ edits: new Map([['tree', { children }]]), documents: [] })
  const tree = space.tree()
  await space.import(await space.export(files, base))
  assert.deepEqual(space.tree(), tree)
})

const textOf = (files: Files, path: string) => Buffer.from(files[path] ?? '').toString()

const computed = (spec: string, indent = '') =>
  [
    '* ```yaml',
    '  props:',
    '    models:   true',
    '  type: builtin:openapi',
    '  dependencies:',
    '    spec:',
    `      ref: { kind: openapi, spec: ${spec} }`,
    '  ```',
  ]
    .map(line => `${indent}${line}\n`)
    .join('')

test('blocks of pages that are computed keep their bytes, also where they are moved, and nothing is lost beside them', async () => {
  const summary = `# Table of contents\n\n* [Welcome](README.md)\n${computed('one')}* [Other](guides/other.md)\n${computed('two', '  ')}`
  const files = { 'SUMMARY.md': summary, 'README.md': '# Welcome\n', 'guides/other.md': '# Other\n' }
  const space = new MemorySpace()
  await space.import(files)
  const base = space.content
  assert.equal(textOf(await space.export(files, base), 'SUMMARY.md'), summary)
  new Pages(space).rename('README.md', 'Hello', '# Hello\n')
  const renamed = await space.export(files, base)
  assert.equal(textOf(renamed, 'SUMMARY.md'), summary.replace('[Welcome]', '[Hello]'))

  await space.import(renamed)
  const between = space.content
  const { id: above, ...other } = space.page('guides/other.md')
  const [below = ''] = other.children
  const page = between.pages.get(below) as PageRecord
  assert.equal(page.type, 'computed')
  space.edit({
    edits: new Map<Key, AnyRecord>([
      [pageKey(below), { ...page, parent: null }],
      [pageKey(above), { ...other, children: [] }],
      ['tree', { children: [below, ...between.tree.children] }],
    ]),
    documents: [],
  })
  const moved = await space.export(renamed, between)
  assert.equal(
    textOf(moved, 'SUMMARY.md'),
    `# Table of contents\n\n${computed('two')}* [Hello](README.md)\n${computed('one')}* [Other](guides/other.md)\n`,
  )
  await space.import(moved)
  assert.equal(space.content.tree.children[0], below)
})

test('variables are set in their file, every other byte as it was', async () => {
  const path = '.gitbook/vars.yaml'
  const setIn = async (before: string, isForced = false) => {
    const files = { 'README.md': '# Home\n', [path]: before }
    const space = new MemorySpace()
    await space.import(files)
    const base = space.content
    space.edit({ edits: new Map([['variable/name', 'Octavo']]), documents: [] })
    return textOf(await space.export(files, base, isForced), path)
  }
  assert.equal(
    await setIn('\ufeff# ours\r\nname: "x" # said\r\nold:  1\r\n'),
    '\ufeff# ours\r\nname: Octavo # said\r\nold:  1\r\n',
  )
  assert.equal(await setIn('# nothing yet\n'), '# nothing yet\nname: Octavo\n')
  const broken = 'name: [x\n<<<<<<< ours\n'
  await assert.rejects(
    setIn(broken),
    ({ code, message }: Failure) => code === 'export_conflicts' && /vars\.yaml/.test(message),
  )
  assert.equal(await setIn(broken, true), 'name: Octavo\n')
})

test('an include that outgrew a page is neither written over nor removed, unless by force', async () => {
  const space = new MemorySpace()
  const path = '.gitbook/includes/note.md'
  const tooLarge = Buffer.alloc(10 * 1024 * 1024 + 1, 32)
  await space.import({ 'README.md': '# Home\n', [path]: '# A note\n' })
  const files = { 'README.md': '# Home\n', [path]: tooLarge }
  await space.import(files)
  const base = space.content
  assert.equal((await space.export(files, base))[path]?.length, tooLarge.length)
  const [[id, record] = assert.fail('the note is there')] = base.reusables
  const document = encodeDocument('# Another note\n')
  const edited = { ...record, document: document.hash }
  space.edit({ edits: new Map([[reusableKey(id), edited]]), documents: [document] })
  await assert.rejects(
    space.export(files, base),
    ({ code, message }: Failure) => code === 'export_conflicts' && message.includes(path),
  )
  assert.equal(textOf(await space.export(files, base, true), path), '# Another note\n')
  space.edit({ edits: new Map([[reusableKey(id), null]]), documents: [] })
  assert.equal((await space.export(files, base))[path]?.length, tooLarge.length)
})
