// Tables: GFM's pipe tables and GitBook's HTML tables, whose head says what each column holds.
import { dataAttributes, isOn, readAttributes, TABLE_ATTRIBUTES } from '../attributes/attributes.ts'
import {
  type Element,
  isCell,
  isNamed,
  type Node,
  type Table,
  type TableCell,
  tableRows,
} from '../syntax/syntax.ts'
import { type Child, el, flat, type Hast, textOf } from './build.ts'
import { renderCards } from './cards.ts'
import { alignClass, verticalClass, widthAttribute } from './names.ts'
import type { Scope } from './scope.ts'
import { asScroller } from './scrollers.ts'
import { type Column, cellContent, type Grid, type SelectOption } from './table-cells.ts'

/** HTML's own bound is 1,000; a cell that spans more only costs the browser time. */
const SPAN_MAX = 100

export function renderPipeTable(node: Table, scope: Scope): Hast {
  const [head, ...body] = node.children
  const cell = (tagName: 'th' | 'td') => (one: TableCell, column: number) =>
    el(tagName, { align: node.align[column], scope: tagName === 'th' && 'col' }, scope.inlines(one.children))
  const hasHead = head?.children.some(one => one.children.length > 0) ?? false
  return inScroller(
    head !== undefined && hasHead ? { cells: head.children.map(cell('th')), isSeen: true } : undefined,
    body.map(row => el('tr', {}, row.children.map(cell('td')))),
    scope,
  )
}

/** A box that scrolls, named by the words of the head. */
function inScroller(
  head: { readonly cells: readonly Child[]; readonly isSeen: boolean } | undefined,
  rows: readonly Hast[],
  scope: Scope,
): Hast {
  const words = (head?.cells ?? []).map(one => textOf(flat([one])).trim()).filter(Boolean)
  const name = words.length === 0 ? 'Table' : `Table: ${words.join(', ')}`
  return el(
    'div.table-scroll',
    asScroller(name, scope),
    el(
      'table',
      {},
      head !== undefined && el('thead', { className: !head.isSeen && 'unseen' }, el('tr', {}, head.cells)),
      rows.length > 0 && el('tbody', {}, rows),
    ),
  )
}

const PLAIN_COLUMN: Column = {
  type: 'text',
  isHidden: false,
  isTarget: false,
  isCover: false,
  isDarkCover: false,
  ratingMax: 5,
  options: new Map(),
}

export function renderTableElement(node: Element, scope: Scope): Hast {
  const grid = readGrid(node)
  if (readAttributes(dataAttributes(node), TABLE_ATTRIBUTES).view === 'cards')
    return renderCards(node, grid, scope)
  const shows = (index: number) => !(grid.columns[index]?.isHidden ?? false)
  const hidesHead = isOn(node.attributes['data-header-hidden']) || grid.head.every(isEmptyCell)
  const cells = (row: readonly Element[]) =>
    row.map((one, index) => shows(index) && renderCell(one, grid.columns[index] ?? PLAIN_COLUMN, scope))
  const head = grid.head.map(
    (one, index) => shows(index) && headCell(one, grid.columns[index]?.type === 'number', scope),
  )
  return inScroller(
    grid.head.length > 0 ? { cells: head, isSeen: !hidesHead } : undefined,
    grid.rows.map(row => el('tr', {}, cells(row))),
    scope,
  )
}

/** Head and body rows; cells outside of rows and rows outside of the table do not count. */
function readGrid(node: Element): Grid {
  const rows = tableRows(node).map(({ row, isHead }) => ({ cells: row.children.filter(isCell), isHead }))
  const headAt = rows.findIndex(row => row.isHead)
  const first =
    headAt >= 0 ? headAt : rows[0]?.cells.length && rows[0].cells.every(cell => cell.name === 'th') ? 0 : -1
  const head = rows[first]?.cells ?? []
  return {
    head,
    columns: head.map(readColumn),
    rows: rows.filter((_, index) => index !== first).map(row => row.cells),
  }
}

const isEmptyCell = (cell: Element): boolean =>
  cell.children.every(
    child => (child.type === 'text' && child.value.trim() === '') || isNamed(child, 'select'),
  )

function readColumn(cell: Element): Column {
  const has = (name: string) => isOn(cell.attributes[name])
  return {
    type: cell.attributes['data-type'] ?? 'text',
    isHidden: has('data-hidden'),
    isTarget: has('data-card-target'),
    isCover: has('data-card-cover'),
    isDarkCover: has('data-card-cover-dark'),
    ratingMax: Math.min(Math.max(1, Number(cell.attributes['data-max']) || 5), 10),
    options: readOptions(cell.children),
  }
}

const readOptions = (nodes: readonly Node[]): Map<string, SelectOption> =>
  new Map(
    nodes
      .filter(node => isNamed(node, 'select'))
      .flatMap(select => select.children)
      .filter(node => isNamed(node, 'option'))
      .map(({ attributes: { value = '', label = value, color } }) => [value, { label, colour: color }]),
  )

function headCell(cell: Element, isNumber: boolean, scope: Scope): Hast {
  const nodes = cell.children.filter(child => !isNamed(child, 'select'))
  return el(
    'th',
    {
      ...spanOf(cell),
      scope: 'col',
      align: isNumber && 'right',
      width: widthAttribute(cell.attributes.width),
      ...placeOf(cell),
    },
    scope.lineOrBlocks(nodes),
  )
}

function renderCell(cell: Element, column: Column, scope: Scope): Hast {
  const properties = { ...spanOf(cell), ...placeOf(cell) }
  if (cell.name === 'th') return el('th', { ...properties, scope: 'row' }, scope.lineOrBlocks(cell.children))
  if (column.type === 'number')
    return el('td', { align: 'right', ...properties }, scope.lineOrBlocks(cell.children))
  return el('td', properties, cellContent(cell, column, scope))
}

const spanOf = (cell: Element) => ({
  colSpan: span(cell.attributes.colspan),
  rowSpan: span(cell.attributes.rowspan),
})

function span(value: string | undefined): number | null {
  const size = Number(value)
  return Number.isInteger(size) && size > 1 ? Math.min(size, SPAN_MAX) : null
}

const placeOf = ({ attributes: { align, valign } }: Element) => ({
  className: [alignClass(align), verticalClass(valign?.toLowerCase())],
})
