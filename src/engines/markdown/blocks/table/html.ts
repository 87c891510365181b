// Tables as rows and columns.
import {
  alignedTo,
  alignOf,
  asScroller,
  type Child,
  el,
  type Hast,
  isBlank,
  type Properties,
  type Scope,
  textOf,
  verticalClass,
} from '../../html/drawing.ts'
import { drawCards } from './html-cards.ts'
import { drawCell } from './html-cells.ts'
import { type Cell, type Column, type Row, readTable, type Table, type TableNode } from './reading.ts'

/** What stands between the rows and cells is shown below the table. */
export function drawTable(node: TableNode, scope: Scope): Child {
  const table = readTable(node)
  return [
    table.data.view === 'cards' ? drawCards(table, scope) : drawGrid(table, scope),
    table.others.length > 0 && scope.blocks(table.others),
  ]
}

/** A box that scrolls, named by the words of the head. */
function drawGrid({ data, head = [], columns, rows }: Table, scope: Scope): Hast {
  const hasWords = head.some(({ children }) => !children.every(isBlank))
  const heads = hasWords
    ? drawRow(head, columns, (cell, column, spans) =>
        el(
          'th',
          { ...spans, scope: 'col', width: widthOf(cell), ...placeOf(cell, column) },
          scope.lineOrBlocks(cell.children),
        ),
      )
    : []
  const body = rows.map(row =>
    el(
      'tr',
      {},
      drawRow(row, columns, (cell, column, spans) => {
        const place = placeOf(cell, column)
        const inside = drawCell(cell, column, scope)
        return cell.node.type === 'element' && cell.node.name === 'th'
          ? el('th', { ...spans, ...place, scope: 'row' }, inside)
          : el('td', { ...spans, ...place }, inside)
      }),
    ),
  )
  const words = heads.map(one => textOf([one]).trim()).filter(Boolean)
  const name = words.length === 0 ? 'Table' : `Table: ${words.join(', ')}`
  return el(
    'div',
    { className: ['table-scroll', data.fullWidth && 'full-width'], ...asScroller(name, scope) },
    el(
      'table',
      {},
      heads.length > 0 &&
        el(
          'thead',
          data.hideHeader ? { className: 'unseen', draws: { name: 'screen' } } : {},
          el('tr', {}, heads),
        ),
      body.length > 0 && el('tbody', {}, body),
    ),
  )
}

/** A cell that spans hidden columns is as much narrower; one that spans no others is hidden. */
const drawRow = (
  row: Row,
  columns: readonly Column[],
  draw: (cell: Cell, column: Column, spans: Properties) => Hast,
): Hast[] =>
  row.flatMap(cell => {
    const column = columns[cell.column]
    if (column === undefined) return []
    let span = cell.columns
    for (let at = 0; at < cell.columns; at++) if (columns[cell.column + at]?.isHidden) span--
    if (span === 0) return []
    const align = column.type === 'number' ? 'right' : cell.align === undefined && column.align
    return draw(cell, column, { align, colSpan: span > 1 && span, rowSpan: cell.rows > 1 && cell.rows })
  })

function placeOf(cell: Cell, column: Column) {
  const side = alignOf(cell.align)
  const vertical = verticalClass(cell.verticalAlignment ?? column.verticalAlignment)
  return { className: [side && `align-${side}`, vertical], draws: alignedTo(side) }
}

const PIXELS_MAX = 10_000

/** A width that HTML knows on cells: pixels, or a whole percentage. */
function widthOf({ width = 0 }: Cell): string | undefined {
  if (typeof width === 'number')
    return width > 0 ? String(Math.min(Math.trunc(width), PIXELS_MAX)) : undefined
  return width.value > 0 && width.value <= 100 ? `${Math.round(width.value)}%` : undefined
}
