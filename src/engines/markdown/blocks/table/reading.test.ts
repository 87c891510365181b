import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMarkdown, plainLine } from '../../syntax/syntax.ts'
import { readTable, type Table } from './reading.ts'

function tableIn(source: string): Table {
  const [node] = parseMarkdown(source).children
  assert.ok(node?.type === 'table' || node?.type === 'element')
  return readTable(node)
}

const heads = ({ head = [] }: Table) => head.map(({ children }) => plainLine(children))
const rows = (table: Table) =>
  table.rows.map(row => row.map(({ column, children }) => `${column}:${plainLine(children)}`))

test('the head is the first row of a thead wherever it stands, or a first row of th alone', () => {
  const head = '<thead><tr><td>a</td></tr><tr><th>b</th></tr></thead>'
  for (const source of [
    `<table>${head}<tr><td>c</td></tr></table>`,
    `<table><tr><td>c</td></tr>${head}</table>`,
  ])
    assert.deepEqual(heads(tableIn(source)), ['a'])
  assert.deepEqual(heads(tableIn('<table><tr><th>a</th></tr></table>')), ['a'])
  for (const source of ['<tr><th>a</th><td>b</td></tr>', '<tr></tr><tr><th>a</th></tr>'])
    assert.equal(tableIn(`<table>${source}</table>`).head, undefined)
  assert.deepEqual(heads(tableIn('| a |\n| - |\n| b |')), ['a'])
})

test('a cell is in the column that it begins in, behind the cells that span more columns or rows', () => {
  const table = tableIn(
    '<table><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr><tr><td colspan="2">d</td><td>e</td></tr></table>',
  )
  assert.deepEqual(rows(table), [['0:a', '1:b'], ['1:c'], ['0:d', '2:e']])
  assert.equal(table.columns.length, 3)
})

test('what is in no cell is kept apart, and white space is not', () => {
  const { others } = tableIn(
    '<table> <caption>a</caption><colgroup></colgroup><tr> b<td>c</td></tr><tbody>d</tbody></table>',
  )
  assert.equal(plainLine(others).replace(/\s+/g, ''), 'abd')
})

test('a column of options is one with a select in its head; labels are attributes, words, or the value', () => {
  const { columns } = tableIn(
    '<table><tr><th data-type="number">H<select multiple><option value="1" label="A" color="red">x</option><option value="2">B</option><option>C</option><option value="4" label=" "></option></select></th></tr></table>',
  )
  assert.equal(columns[0]?.type, 'select')
  assert.equal(columns[0]?.isMultiple, true)
  assert.deepEqual(
    columns[0]?.options.map(({ value, label }) => [value, label]),
    [
      ['1', 'A'],
      ['2', 'B'],
      ['C', 'C'],
      ['4', '4'],
    ],
  )
})

test('a flag that says no is off, and values are read without case and white space', () => {
  const { data, columns } = tableIn(
    '<table data-view=" Cards " data-card-size="LARGE"><tr><th data-hidden="false" data-card-target="0" data-card-cover="no" data-type=" Rating " data-max="0"></th></tr></table>',
  )
  assert.deepEqual([data.view, data.cardSize], ['cards', 'large'])
  const { type, max, isHidden, isTarget, isCover } = columns[0] ?? {}
  assert.deepEqual([type, max, isHidden, isTarget, isCover], ['rating', 5, undefined, undefined, undefined])
})
