// Tables as HTML, in the form that GitBook writes.
import type { Block, Definition, Value } from '../../document/document.ts'
import { type Lines, on, type Rendering, startTag } from '../../render/tagging.ts'
import { areHtml, cellHtml } from './markdown-cells.ts'
import { fitOf, headHtml, sidesOf, valueHtml } from './markdown-columns.ts'
import { type Grid, type Table, wordsOf } from './markdown-grid.ts'

/** Longer tables have a line for each row: longer lines make Markdown parsers slow. */
const LINE_CHARACTERS_MAX = 4_000

export function htmlTable(grid: Grid, rendering: Rendering): Lines {
  const heads = grid.columns.map(column => headHtml(column, grid.table.data.view))
  const rows = rowsWithSpans(grid).map(
    cells => `<tr>${cells.map(one => cellOf(one, grid, rendering)).join('')}</tr>`,
  )
  const open = `${tableTag(grid.table)}<thead><tr>${heads.join('')}</tr></thead><tbody>`
  const close = '</tbody></table>'
  const line = open + rows.join('') + close
  const isOneLine = rendering.tableStyle(grid.table)?.isOneLine ?? line.length <= LINE_CHARACTERS_MAX
  return (isOneLine ? line : [open, ...rows, close].join('\n')).split('\n')
}

function tableTag({ data: { view, fullWidth, search } }: Table): string {
  const isCards = view.type === 'cards'
  return startTag('table', {
    'data-search': search?.toString(),
    ...(isCards
      ? {
          'data-card-size': view.cardSize === 'large' ? 'large' : undefined,
          'data-column-title-hidden': view.hideColumnTitle,
          'data-view': 'cards',
          'data-wrap': view.wrap,
        }
      : {
          'data-header-hidden': view.hideHeader,
          'data-sticky-header': view.stickyHeader,
          'data-sticky-first-column': view.stickyFirstColumn,
        }),
    'data-full-width': on(fullWidth),
  })
}

/** A cell with the number of columns and rows that it spans. */
type Cell = { readonly column: Definition; readonly value: Value | undefined; columns: number; rows: number }

/**
 * The cells of each row. A cell that a row does not have is spanned by the cell above it, or else by the one before it.
 */
function rowsWithSpans({ columns, rows }: Grid): Cell[][] {
  /** For each column, the cell above, while it can still grow. */
  const above = new Map<Definition, Cell>()
  return rows.map(({ values }) => {
    const cells: Cell[] = []
    let before: Cell | undefined
    for (const column of columns) {
      const value = values[column.id]
      const over = above.get(column)
      if (value === undefined && over !== undefined) {
        over.rows++
        before = undefined
      } else if (value === undefined && before !== undefined) before.columns++
      else {
        before = { column, value, columns: 1, rows: 1 }
        above.set(column, before)
        cells.push(before)
      }
    }
    return cells
  })
}

function cellOf({ column, value, columns, rows }: Cell, grid: Grid, rendering: Rendering): string {
  const words = wordsOf(value, column, grid)
  const open = startTag('td', {
    colspan: columns > 1 ? String(columns) : undefined,
    rowspan: rows > 1 ? String(rows) : undefined,
    'data-object-fit': words === undefined ? fitOf(value, rendering) : undefined,
    ...sidesOf(column),
  })
  const inside = words === undefined ? valueHtml(value, column, rendering) : wordsHtml(words, rendering)
  return `${open}${inside}</td>`
}

function wordsHtml(blocks: readonly Block[], rendering: Rendering): string {
  if (areHtml(blocks)) return cellHtml(blocks, rendering)
  const lines = rendering.blocks(blocks)
  return lines.length === 0 ? '' : ['', '', ...lines, '', ''].join('\n')
}
