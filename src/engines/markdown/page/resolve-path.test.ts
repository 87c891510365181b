import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resolveFromPage, resolvePath } from './resolve-path.ts'

const FILES = new Set([
  'README.md',
  'a/README.md',
  'a/b.md',
  'a/b c.md',
  'a/100%.md',
  'd.md',
  '.gitbook/assets/x.png',
])

const resolve = (from: string, destination: string) => {
  const resolved = resolvePath(from, destination, file => FILES.has(file))
  if (resolved.type === 'url') return resolved.url
  const anchor = resolved.anchor === null ? '' : `#${resolved.anchor}`
  return resolved.type === 'file' ? `${resolved.file}${anchor}` : `broken ${resolved.path}${anchor}`
}

it('is looked for in the folder of a page and by the name of its README if nothing else is there', () => {
  const files = new Set(['guide.md', 'guide/one.md', 'guide/two.md', 'two.md', 'README.md', 'sub/README.md'])
  const find = (from: string, destination: string) => {
    const resolved = resolveFromPage(from, destination, file => files.has(file))
    return resolved.type === 'file' ? resolved.file : resolved.type
  }
  assert.equal(find('guide.md', 'one.md'), 'guide/one.md')
  assert.equal(find('guide.md', './one'), 'guide/one.md')
  assert.equal(find('guide.md', '../two.md'), 'two.md')
  assert.equal(find('guide.md', 'two.md'), 'two.md', 'the rules of a repository come first')
  assert.equal(find('guide/one.md', '../guide/README.md'), 'guide.md')
  assert.equal(find('sub/README.md', 'guide/one.md'), 'broken', 'a README is in its folder already')
  assert.equal(find('guide.md', '/one.md'), 'broken')
  assert.equal(resolvePath('guide.md', 'one.md', file => files.has(file)).type, 'broken')
})

describe('a destination', () => {
  it('is a file beside, below or above the one it is written in, or from the root', () => {
    assert.equal(resolve('a/b.md', 'b%20c.md'), 'a/b c.md')
    assert.equal(resolve('a/b.md', '../d.md#x%20y'), 'd.md#x y')
    assert.equal(resolve('d.md', './a/./b.md?plain=1'), 'a/b.md')
    assert.equal(resolve('a/b.md', '/d.md'), 'd.md')
    assert.equal(resolve('a/b.md', '../.gitbook/assets/x.png'), '.gitbook/assets/x.png')
    assert.equal(resolve('d.md', 'a/100%.md'), 'a/100%.md')
  })

  it('is the README of a folder, or the page of a name without extension', () => {
    for (const destination of ['a', 'a/', './a/#x', '/a/'])
      assert.match(resolve('d.md', destination), /^a\/README\.md/)
    assert.equal(resolve('d.md', 'a/b'), 'a/b.md')
    assert.equal(resolve('a/b.md', '../'), 'README.md')
    assert.equal(resolve('a/b.md', '/'), 'README.md')
    assert.equal(resolve('a/b.md', './'), 'a/README.md')
  })

  it('is a part of the same file', () => {
    assert.equal(resolve('a/b.md', '#x'), 'a/b.md#x')
    assert.equal(resolve('a/b.md', '#'), 'a/b.md')
  })

  it('is elsewhere when it has a scheme or a host', () => {
    for (const url of ['https://x.y/a.md', 'mailto:a@b.c', 'tel:+1', '//x.y/z', 'javascript:alert(1)'])
      assert.equal(resolve('d.md', url), url)
  })

  it('is broken where nothing is, above the root, and where GitBook says so', () => {
    assert.equal(resolve('a/b.md', 'nothing.md#x'), 'broken a/nothing.md#x')
    assert.equal(resolve('d.md', '../../etc/passwd'), 'broken null')
    assert.equal(resolve('d.md', 'broken-reference'), 'broken null')
    assert.equal(resolve('d.md', '/broken/pages/abc'), 'broken null')
  })
})
