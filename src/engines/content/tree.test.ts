import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { page, stored } from './content.arbitrary.ts'
import { contentOf, readContent } from './content.ts'
import type { AnyRecord, Key } from './records.ts'
import { lineageOf, pathOf, pathsOf, walkPages } from './tree.ts'

const entries = new Map<Key, AnyRecord>([
  ['tree', { children: ['intro', 'guides', 'site'] }],
  ['page/intro', page({ slug: 'intro' })],
  ['page/guides', page({ type: 'group', slug: 'guides', children: ['setup', 'deploy'] })],
  ['page/setup', page({ slug: 'setup', parent: 'guides', children: ['linux'] })],
  ['page/linux', page({ slug: 'linux', parent: 'setup' })],
  ['page/deploy', page({ slug: 'deploy', parent: 'guides' })],
  ['page/site', page({ type: 'link', slug: '', target: { kind: 'url', url: 'https://example.com' } })],
])
const content = contentOf(entries)

describe('the page tree', () => {
  it('is walked as one reads it, with depths and paths', () => {
    assert.deepEqual(
      [...walkPages(content)].map(({ id, depth, path }) => [id, depth, path]),
      [
        ['intro', 1, 'intro'],
        ['guides', 1, 'guides'],
        ['setup', 2, 'guides/setup'],
        ['linux', 3, 'guides/setup/linux'],
        ['deploy', 2, 'guides/deploy'],
        ['site', 1, ''],
      ],
    )
  })

  it('gives one page the path that the walk gives it', () => {
    const paths = pathsOf(content)
    for (const id of content.pages.keys()) assert.equal(pathOf(content.pages, id), paths.get(id))
    assert.deepEqual(lineageOf(content.pages, 'linux'), ['guides', 'setup', 'linux'])
  })

  it('gives no path to a page whose way up does not end at the root', () => {
    const broken = new Map(entries)
    broken.set('page/a', page({ parent: 'b', children: ['b'] }))
    broken.set('page/b', page({ parent: 'a', children: ['a'] }))
    broken.set('page/c', page({ parent: 'gone' }))
    const { pages } = contentOf(broken)
    for (const id of ['a', 'b', 'c', 'gone']) assert.equal(pathOf(pages, id), undefined)
  })
})

describe('the content of a revision', () => {
  it('is read whole and sorted into its kinds', async () => {
    const file = {
      name: 'a.png',
      contentType: 'image/png',
      size: 3,
      blob: 'b1',
      file: '.gitbook/assets/a.png',
    }
    const reusable = { title: 'R', document: 'd1', file: '.gitbook/includes/r.md' }
    const { store, root } = await stored(
      new Map<Key, AnyRecord>([
        ...entries,
        ['file/f1', file],
        ['reusable/r1', reusable],
        ['variable/b/c', true],
        ['variable/a', 0],
        ['git/summary', 'h1'],
        ['git/config', 'h2'],
      ]),
    )
    const read = await readContent(store, root)
    assert.deepEqual(read.tree, content.tree)
    assert.deepEqual(new Map([...read.pages].sort()), new Map([...content.pages].sort()))
    assert.deepEqual([...read.files], [['f1', file]])
    assert.deepEqual([...read.reusables], [['r1', reusable]])
    assert.deepEqual(
      [...read.variables],
      [
        ['a', 0],
        ['b/c', true],
      ],
    )
    assert.equal(read.summary, 'h1')
    assert.equal(read.config, 'h2')
  })

  it('is empty where nothing was written', () => {
    const empty = contentOf([])
    assert.deepEqual(empty.tree, { children: [] })
    assert.equal(empty.pages.size + empty.files.size + empty.reusables.size + empty.variables.size, 0)
    assert.equal(empty.summary, null)
    assert.equal(empty.config, null)
  })
})
