import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHtml } from '../../html/html.ts'
import { parseMarkdown } from '../../syntax/syntax.ts'

async function render(source: string): Promise<string> {
  const { html } = await toHtml(parseMarkdown(source), {
    resolveLink: href => ({ href, isExternal: false, isBroken: false }),
    resolveImage: src => ({ src }),
  })
  return html
}

const cellsIn = (html: string) => [...html.matchAll(/<td[^>]*>.*?<\/td>/g)].map(([cell]) => cell)

test('a cell that spans hidden columns is as much narrower, and is hidden only with all of them', async () => {
  const html = await render(
    '<table><tr><th>A</th><th data-hidden>B</th><th>C</th></tr><tr><td colspan="2">a</td><td>c</td></tr><tr><td colspan="3">b</td></tr><tr><td rowspan="2">d</td><td>hidden</td><td>e</td></tr><tr><td>hidden</td><td>f</td></tr></table>',
  )
  assert.deepEqual(cellsIn(html), [
    '<td>a</td>',
    '<td>c</td>',
    '<td colspan="2">b</td>',
    '<td rowspan="2">d</td>',
    '<td>e</td>',
    '<td>f</td>',
  ])
})

test('an empty head is not drawn, and what is in no cell is shown below the table', async () => {
  const body = '<tr><td>a</td></tr>'
  assert.doesNotMatch(await render(`<table><thead><tr><th> </th></tr></thead>${body}</table>`), /thead/)
  assert.doesNotMatch(await render('| |\n| - |\n| a |'), /thead/)
  assert.match(
    await render(`<table><caption>Caption</caption>${body}</table>`),
    /<\/table><\/div><p>Caption<\/p>/,
  )
})

test('cells have the side of their column, unless they have their own', async () => {
  const html = await render(
    '<table><tr><th align="center" valign="bottom">A</th></tr><tr><td>a</td></tr><tr><td align="Right" valign="top">b</td></tr></table>',
  )
  assert.deepEqual(cellsIn(html), [
    '<td align="center" class="bottom">a</td>',
    '<td class="align-right top">b</td>',
  ])
})

test('cards show the cells of columns without a head', async () => {
  const html = await render('<table data-view="cards"><tr><td>a</td><td>b</td></tr></table>')
  assert.match(html, /<div class="card-body"><div>a<\/div><div>b<\/div><\/div>/)
})

test('the target and the cover of a card may be Markdown', async () => {
  const html = await render(
    '<table data-view="cards"><tr><th></th><th data-card-target data-hidden></th><th data-card-cover data-hidden></th></tr><tr><td>a</td><td>\n\n[b](b.md)\n\n</td><td>\n\n![c](c.png)\n\n</td></tr></table>',
  )
  assert.match(html, /<img src="c.png"/)
  assert.match(html, /<a class="card-target" href="b.md"/)
})

test('an empty cell is empty, whatever its column holds, but for stars', async () => {
  const heads = ['number', 'checkbox', 'rating', 'content-ref'].map(type => `<th data-type="${type}">h</th>`)
  const html = await render(
    `<table><tr>${heads.join('')}</tr><tr>${'<td></td>'.repeat(heads.length)}</tr></table>`,
  )
  assert.deepEqual(cellsIn(html), [
    '<td align="right"></td>',
    '<td><span class="unseen">No</span></td>',
    '<td><span class="rating" role="img" aria-label="0 of 5">☆☆☆☆☆</span></td>',
    '<td></td>',
  ])
})

test('a cell that heads its row says so', async () => {
  const html = await render(
    '<table><tr><th>A</th><th>B</th></tr><tr><th align="center">a</th><td>b</td></tr></table>',
  )
  assert.match(html, /<tr><th class="align-center" scope="row">a<\/th><td>b<\/td><\/tr>/)
})
