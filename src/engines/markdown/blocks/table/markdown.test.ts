import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toDocument } from '../../document/document.ts'
import { renderDocument } from '../../render/render.ts'

/** The content of the only cell of a table, written again. */
function written(cell: string): string | undefined {
  const source = `<table data-header-hidden><thead><tr><th>h</th></tr></thead><tbody><tr><td>${cell}</td></tr></tbody></table>\n`
  return /<td>([\s\S]*)<\/td>/.exec(renderDocument(toDocument(source).document))?.[1]
}

test('a list in a cell has its first number where that is not 1', () => {
  for (const start of [0, 3, 10]) {
    const list = `<ol start="${start}"><li>a</li><li>b</li></ol>`
    assert.equal(written(list), list)
  }
  for (const start of ['1', '-2', 'many', '1e400'])
    assert.equal(written(`<ol start="${start}"><li>a</li></ol>`), '<ol><li>a</li></ol>')
})

test('blocks in a cell are written as the elements that they are', () => {
  for (const blocks of [
    'words',
    '<p>a</p><p>b</p>',
    '<p align="center">a</p>',
    '<h2>a</h2><h3>b</h3><h4>c</h4>',
    '<ul><li>a<ul><li>b</li></ul></li></ul>'.replace('a<ul>', '<p>a</p><ul>'),
    '<blockquote><p>a</p></blockquote>',
    '<pre><code>a&#10;\nb\n</code></pre>',
    '<p>a</p><hr>',
    '<figure><img src="a.png" alt=""><figcaption><p>b</p></figcaption></figure>',
  ])
    assert.equal(written(blocks), blocks)
})

test('columns with a part in cards keep it', () => {
  const heads = ['target', 'cover', 'cover-dark'].map(role => `<th data-hidden data-card-${role}></th>`)
  const source = `<table data-view="cards"><thead><tr><th></th>${heads.join('')}</tr></thead><tbody><tr><td>a</td>${'<td>b</td>'.repeat(heads.length)}</tr></tbody></table>\n`
  assert.equal(renderDocument(toDocument(source).document), source)
})
