import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sketch } from '../../../../test/support/markdown/sketch.ts'
import { checkDocument } from './check.ts'
import type { BlockOf } from './model.ts'
import { toDocument } from './to-document.ts'

function tableOf(source: string): BlockOf<'table'> {
  const { document } = toDocument(source)
  assert.deepEqual(checkDocument(document), [])
  const [table] = document.nodes
  assert.equal(table?.type, 'table')
  return table as BlockOf<'table'>
}

/** The cells of a table, row by row: values, and for words the sketch of their blocks. */
function rowsOf({ data, fragments = [] }: BlockOf<'table'>): unknown[][] {
  const words = new Map(
    fragments.map(one => [one.fragment, sketch({ object: 'document', data: {}, nodes: one.nodes })]),
  )
  const records = Object.values(data.records).sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : 1))
  return records.map(record =>
    Object.keys(data.definition).map(id => {
      const value = record.values[id]
      return typeof value === 'string' ? words.get(value) : value
    }),
  )
}

test('a pipe table: titles, alignment, and cells of words', () => {
  const table = tableOf('| A | B |\n| :-: | --: |\n| *x* | |\n| y | `z` |')
  assert.deepEqual(table.data.view, { type: 'grid', columns: ['c1', 'c2'], hideHeader: false })
  assert.deepEqual(
    Object.values(table.data.definition).map(one => [
      one.title,
      one.type === 'text' ? one.textAlignment : one.type,
    ]),
    [
      ['A', 'center'],
      ['B', 'right'],
    ],
  )
  assert.deepEqual(rowsOf(table), [
    ['paragraph italic:"x"', 'paragraph ""'],
    ['paragraph "y"', 'paragraph code:"z"'],
  ])
})

test('typed columns have values', () => {
  const table = tableOf(
    '<table data-full-width="true"><thead><tr><th width="177.3">P<select multiple><option value="o1" label="A" color="blue"></option></select></th><th data-type="checkbox">C</th><th data-type="number">N</th><th data-type="rating" data-max="4">R</th><th data-type="users" data-multiple>U</th><th data-type="files">F</th><th data-type="content-ref">L</th></tr></thead><tbody><tr><td><span data-option="o1">A</span></td><td>true</td><td>1.5</td><td>4</td><td><a href="/users/u1">Ann</a></td><td><a href="f.pdf">f.pdf</a></td><td><a href="a.md">a.md</a></td></tr><tr><td></td><td>false</td><td>null</td><td></td><td></td><td></td><td></td></tr></tbody></table>',
  )
  assert.deepEqual(rowsOf(table), [
    [['o1'], true, 1.5, 4, ['u1'], ['f.pdf'], { kind: 'url', url: 'a.md' }],
    [[], false, null, null, [], [], null],
  ])
  const { c1, c4, c5 } = table.data.definition
  assert.deepEqual(c1, {
    id: 'c1',
    title: 'P',
    type: 'select',
    multiple: true,
    options: [{ value: 'o1', label: 'A', color: 'blue' }],
  })
  assert.deepEqual(
    [c4, c5],
    [
      { id: 'c4', title: 'R', type: 'rating', max: 4 },
      { id: 'c5', title: 'U', type: 'users', multiple: true },
    ],
  )
  assert.deepEqual(table.data.view, {
    type: 'grid',
    columns: ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7'],
    columnWidths: { c1: 177.3 },
    useNewSizing: true,
    hideHeader: false,
  })
  assert.equal(table.data.fullWidth, true)
})

test('a cell that does not fit the type of its column keeps its words', () => {
  const table = tableOf(
    '<table><thead><tr><th data-type="number">N</th><th data-type="content-ref">L</th></tr></thead><tbody><tr><td>many</td><td>see <a href="a.md">a.md</a></td></tr></tbody></table>',
  )
  assert.deepEqual(rowsOf(table), [
    ['paragraph "many"', 'paragraph "see " <link {"ref":{"kind":"url","url":"a.md"}} "a.md">'],
  ])
})

test('cards: target, covers, hidden columns and how the image fits', () => {
  const table = tableOf(
    '<table data-card-size="large" data-column-title-hidden data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="image">Cover</th><th data-hidden data-card-cover-dark data-type="image">Dark</th></tr></thead><tbody><tr><td><strong>T</strong></td><td><a href="a.md">a.md</a></td><td data-object-fit="contain"><a href="c.png">c.png</a></td><td><a href="d.png">d.png</a></td></tr></tbody></table>',
  )
  assert.deepEqual(table.data.view, {
    type: 'cards',
    cardSize: 'large',
    columns: ['c1'],
    targetDefinition: 'c2',
    coverDefinition: 'c3',
    coverDefinitionDark: 'c4',
    hideColumnTitle: true,
  })
  assert.deepEqual(rowsOf(table), [
    [
      'paragraph bold:"T"',
      { kind: 'url', url: 'a.md' },
      { ref: { kind: 'url', url: 'c.png' }, objectFit: 'contain' },
      { kind: 'url', url: 'd.png' },
    ],
  ])
})

test('HTML tables without a head, with spans, and with blocks in cells', () => {
  const bare = tableOf(
    '<table><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr><tr><td colspan="2">d</td></tr></table>',
  )
  assert.equal(bare.data.view.type === 'grid' && bare.data.view.hideHeader, true)
  assert.deepEqual(rowsOf(bare), [
    ['paragraph "a"', 'paragraph "b"'],
    [undefined, 'paragraph "c"'],
    ['paragraph "d"', undefined],
  ])
  const hidden = tableOf(
    '<table data-header-hidden><thead><tr><th>H</th></tr></thead><tbody><tr><td><p>one</p><ul><li>two</li></ul></td></tr></tbody></table>',
  )
  assert.equal(hidden.data.view.type === 'grid' && hidden.data.view.hideHeader, true)
  assert.deepEqual(rowsOf(hidden), [['paragraph "one"\nlist-unordered\n  list-item\n    paragraph "two"']])
})

test('the columns of a table are bounded and its cells are not lost', () => {
  const cells = Array.from({ length: 1000 }, (_, index) => `<td>w${index}</td>`).join('')
  const table = tableOf(
    `<table><tr>${cells}</tr><tr><td colspan="100000" rowspan="100000">x</td></tr></table>`,
  )
  assert.equal(Object.keys(table.data.definition).length, 200)
  const words = JSON.stringify(table)
  for (let index = 0; index < 1000; index++) assert.ok(words.includes(`"w${index}"`))
})

test('what a table says of its look: search, sticky head and column, wrapped cards', () => {
  const grid = tableOf(
    '<table data-search="false" data-sticky-header data-sticky-first-column><tr><th>a</th></tr></table>',
  )
  assert.equal(grid.data.search, false)
  assert.deepEqual(grid.data.view, {
    type: 'grid',
    columns: ['c1'],
    hideHeader: false,
    stickyHeader: true,
    stickyFirstColumn: true,
  })
  const cards = tableOf('<table data-view="cards" data-wrap data-search="true"><tr><th>a</th></tr></table>')
  assert.equal(cards.data.search, true)
  assert.equal(cards.data.view.type === 'cards' && cards.data.view.wrap, true)
})

test('a picture with a description is the value of its cell', () => {
  const table = tableOf(
    '<table><tr><th data-type="image"></th></tr><tr><td data-object-fit="contain"><img src="a.png" alt="A b"></td></tr></table>',
  )
  assert.deepEqual(rowsOf(table), [
    [{ ref: { kind: 'url', url: 'a.png' }, objectFit: 'contain', alt: 'A b' }],
  ])
})
