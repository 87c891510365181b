import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { folderOf, resolvePath } from '../../base/paths.ts'
import { percentDecode } from '../../base/percent-decode.ts'
import { fileOfAsset, fileOfInclude, fileOfPage, linkBetween } from './new-files.ts'

test('the file of a page follows its path', () => {
  assert.equal(fileOfPage('setup', 'id'), 'setup.md')
  assert.equal(fileOfPage('guides/first/setup', 'id'), 'guides/first/setup.md')
})

test('names that mean something else in a repository are given to no page', () => {
  assert.equal(fileOfPage('guides/readme', 'id'), 'guides/readme-page.md')
  assert.equal(fileOfPage('INDEX', 'id'), 'INDEX-page.md')
  assert.equal(fileOfPage('summary', 'id'), 'summary-page.md')
  assert.equal(fileOfPage('node_modules/setup', 'id'), 'node_modules_/setup.md')
})

test('a name that file systems refuse is cut between characters, a path as long becomes the id', () => {
  assert.equal(fileOfPage('ü'.repeat(100), 'id'), `${'ü'.repeat(64)}.md`)
  assert.equal(fileOfPage(Array(30).fill('a'.repeat(100)).join('/'), 'abc'), 'pages/abc.md')
  assert.equal(fileOfAsset(`${'€'.repeat(100)}.png`), `.gitbook/assets/${'€'.repeat(42)}.png`)
  assert.equal(fileOfInclude('a note'), '.gitbook/includes/a note.md')
})

test('a link is the way from one folder to another', () => {
  assert.equal(linkBetween('README.md', 'setup.md'), 'setup.md')
  assert.equal(linkBetween('guides/setup.md', 'guides/next.md'), 'next.md')
  assert.equal(linkBetween('guides/a/setup.md', 'guides/b/next.md'), '../b/next.md')
  assert.equal(linkBetween('guides/setup.md', 'README.md'), '../README.md')
  assert.equal(linkBetween('guides/setup.md', '.gitbook/assets/a b.png'), '../.gitbook/assets/a b.png')
})

test('what would be read as an anchor, an escape or an address is written so that it is not', () => {
  assert.equal(linkBetween('a.md', 'c#.md'), 'c%23.md')
  assert.equal(linkBetween('a.md', 'why?.md'), 'why%3F.md')
  assert.equal(linkBetween('a.md', '100%.md'), '100%25.md')
  assert.equal(linkBetween('a.md', 'note:one.md'), './note:one.md')
})

test('a link leads back to its file, whatever the names', () => {
  const part = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
    .filter(name => !/[/\\]|^\.{1,2}$/.test(name))
  const file = fc.array(part, { minLength: 1, maxLength: 4 }).map(parts => parts.join('/'))
  fc.assert(
    fc.property(file, file, (from, to) => {
      assert.equal(resolvePath(folderOf(from), percentDecode(linkBetween(from, to))), to)
    }),
    { numRuns: 300 },
  )
})
