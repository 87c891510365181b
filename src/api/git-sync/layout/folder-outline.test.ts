import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutlineEntry } from '../../../compute/outline.ts'
import { outlineFromFolders } from './folder-outline.ts'

const show = (entries: readonly OutlineEntry[], indent = ''): string[] =>
  entries.flatMap(entry =>
    entry.kind === 'page'
      ? [`${indent}${entry.file ?? `(${entry.title})`}`, ...show(entry.children, `${indent}  `)]
      : [],
  )

test('the readme first, then files and folders by name, numbers as numbers', () => {
  assert.deepEqual(
    show(
      outlineFromFolders(
        ['b.md', '10-last.md', '2-first.md', 'README.md', 'a/x.md', 'a/README.md'],
        'README.md',
      ),
    ),
    ['README.md', '2-first.md', '10-last.md', 'a/README.md', '  a/x.md', 'b.md'],
  )
})

test('a folder without a readme is a page without document, or the page that bears its name', () => {
  assert.deepEqual(
    show(outlineFromFolders(['guides/a.md', 'guides/deep/b.md', 'api.md', 'api/c.md'], undefined)),
    ['api.md', '  api/c.md', '(Guides)', '  guides/a.md', '  (Deep)', '    guides/deep/b.md'],
  )
})

test('README is the page of its folder before index, and no page is lost', () => {
  assert.deepEqual(show(outlineFromFolders(['a/index.md', 'a/README.md'], undefined)), [
    'a/README.md',
    '  a/index.md',
  ])
  assert.deepEqual(show(outlineFromFolders(['a/README.md', 'a/index.md'], undefined)), [
    'a/README.md',
    '  a/index.md',
  ])
})

test('folders deeper than a tree may be are cut, and their pages stay', () => {
  const deep = `${Array.from({ length: 100 }, (_, at) => `d${at}`).join('/')}/README.md`
  const lines = show(outlineFromFolders([deep], undefined))
  assert.equal(lines.at(-1)?.trim(), deep)
  assert.equal(lines.length, 32)
})
