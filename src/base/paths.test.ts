import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relativeTo, resolvePath } from './paths.ts'
import { percentDecode } from './percent-decode.ts'

test('a path is resolved from its folder, and from the top with a slash before it', () => {
  assert.equal(resolvePath('guides/setup', '../images/a.png'), 'guides/images/a.png')
  assert.equal(resolvePath('guides', '/a.md'), 'a.md')
  assert.equal(resolvePath('', './docs/'), 'docs')
  assert.equal(resolvePath('docs', '.'), 'docs')
})

test('a path out of the repository is refused in any spelling', () => {
  for (const path of ['..', '../a', 'a/../../b', './../a', '/../etc/passwd', 'a/b/../../../c']) {
    assert.equal(resolvePath('', path), undefined, path)
  }
  assert.equal(resolvePath('docs', '../../x'), undefined)
})

test('malformed percent-encoding is left unchanged', () => {
  assert.equal(percentDecode('a%20b.md'), 'a b.md')
  assert.equal(percentDecode('100%.md'), '100%.md')
})

test('a folder whose name only begins alike is another one', () => {
  assert.equal(relativeTo('docs', 'docs-old/a.md'), undefined)
  assert.equal(relativeTo('docs', 'docs/a.md'), 'a.md')
})
