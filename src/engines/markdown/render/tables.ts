// Tables: between pipes where those can say all of it, else as HTML, in the form in which GitBook writes it.
import {
  type Block,
  type BlockOf,
  type Definition,
  paragraph,
  text,
  type Value,
} from '../document/document.ts'
import { on } from './gitbook-tags.ts'
import { areHtml, arePipeable, cellHtml, cellParts } from './html-blocks.ts'
import { imagesCell, markdownCell, markdownWords } from './markdown-line.ts'
import { startTag } from './quoting.ts'
import type { Lines, Rendering } from './rendering.ts'
import type { TableStyle } from './styles.ts'
import { fitOf, headHtml, sidesOf, valueHtml } from './table-columns.ts'

type Table = BlockOf<'table'>
type Row = { readonly id: string; readonly values: Readonly<Record<string, Value>> }

/** The table as it is laid out: all columns with the hidden ones, and the words of its cells by their slots. */
type Grid = {
  readonly table: Table
  readonly columns: readonly Definition[]
  readonly rows: readonly Row[]
  readonly words: ReadonlyMap<string, readonly Block[]>
}

export function renderTable(table: Table, rendering: Rendering): Lines {
  const grid = gridOf(table)
  if (grid.columns.length === 0) return []
  const style = rendering.tableStyle(table)
  const isHtml = style !== undefined && style.widths === undefined
  return (isHtml ? undefined : pipes(grid, rendering, style)) ?? htmlTable(grid, rendering)
}

function gridOf(table: Table): Grid {
  const { definition, view, records } = table.data
  const defined = Object.values(definition)
  const shown = view.columns.filter(id => Object.hasOwn(definition, id))
  // Hidden columns keep their place between the others where the view keeps the order of the definitions.
  const ids = new Set(shown)
  const inOrder = defined.map(one => one.id).filter(id => ids.has(id))
  const isOrdered = inOrder.length === shown.length && inOrder.every((id, index) => id === shown[index])
  const columns = isOrdered
    ? defined
    : [...new Set([...shown.flatMap(id => definition[id] ?? []), ...defined])]
  const rows = Object.entries(records)
    .map(([id, record]) => ({ id, ...record }))
    .sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0))
  const words = new Map<string, readonly Block[]>()
  for (const one of table.fragments ?? []) if (!words.has(one.fragment)) words.set(one.fragment, one.nodes)
  return { table, columns, rows, words }
}

/** The blocks of a cell of words; undefined for one with a value of its column's type, or none at all. */
function wordsOf(
  value: Value | undefined,
  column: Definition,
  { words }: Grid,
): readonly Block[] | undefined {
  if (typeof value !== 'string') return undefined
  const found = words.get(value)
  if (found !== undefined) return found
  return column.type === 'text' ? [paragraph([text(value)])] : undefined
}

// ---- pipes -----------------------------------------------------------------------------------------------

/** Wider cells than this are not what others are filled up to. */
const PADDED_WIDTH_MAX = 200

/** The table between pipes; undefined where it says what pipes cannot. */
function pipes(grid: Grid, rendering: Rendering, style: TableStyle | undefined): Lines | undefined {
  const { view, fullWidth, search } = grid.table.data
  const isPlain =
    view.type === 'grid' &&
    !view.hideHeader &&
    Object.keys(view.columnWidths ?? {}).length === 0 &&
    view.columns.length === grid.columns.length &&
    !fullWidth &&
    search === undefined &&
    !view.stickyHeader &&
    !view.stickyFirstColumn &&
    grid.columns.every(one => one.type === 'text' && one.verticalAlignment === 'top')
  if (!isPlain || !grid.rows.every(row => isCellsOfWords(row, grid))) return undefined
  const head = grid.columns.map(one => markdownWords(one.title.trim(), rendering, 'cell'))
  const body: PipeRow[] = []
  for (const { id, values } of grid.rows) {
    const cells: string[] = []
    for (const column of grid.columns) {
      const value = values[column.id]
      if (value === undefined) break
      const cell = pipeCell(wordsOf(value, column, grid) ?? [], rendering)
      if (cell === undefined) return undefined
      cells.push(cell)
    }
    body.push({ id, cells })
  }
  const sides = grid.columns.map(one => (one.type === 'text' ? one.textAlignment : 'left'))
  if (style?.widths === undefined) {
    const widths = widthsOf([head, ...body.map(row => row.cells)], sides.length)
    return [
      rowLine(head, sides, widths),
      ruleLine(sides, widths),
      ...body.map(row => rowLine(row.cells, sides, widths)),
    ]
  }
  // Only new rows are filled up to the columns of a table that somebody wrote.
  const { widths, rows: known } = style
  return [
    rowLine(head, sides, []),
    ruleLine(sides, []),
    ...body.map(row => rowLine(row.cells, sides, known.has(row.id) ? [] : widths)),
  ]
}

type PipeRow = { readonly id: string; readonly cells: readonly string[] }

/** Whether all cells of a row are words, none missing but at its end. */
function isCellsOfWords({ values }: Row, grid: Grid): boolean {
  const last = grid.columns.findLastIndex(column => values[column.id] !== undefined)
  return grid.columns.every(
    (column, index) => index > last || wordsOf(values[column.id], column, grid) !== undefined,
  )
}

function pipeCell(blocks: readonly Block[], rendering: Rendering): string | undefined {
  const [only] = blocks
  if (only === undefined) return ''
  const images = blocks.length === 1 && only.type === 'images' ? pipeImages(only, rendering) : undefined
  if (images !== undefined) return images
  return arePipeable(blocks) ? markdownCell(cellParts(blocks, rendering), rendering) : undefined
}

/** Images without a size or a frame. */
function pipeImages({ data, nodes = [] }: BlockOf<'images'>, rendering: Rendering): string | undefined {
  if (Object.values(data).some(one => one !== undefined)) return undefined
  const written: { src: string; alt: string }[] = []
  for (const { data: image, fragments } of nodes) {
    const { ref, refDark, width, height, alt = '' } = image
    const src = rendering.write(ref)
    const isPlain = refDark === undefined && width === undefined && height === undefined && !fragments?.length
    if (!isPlain || src === undefined) return undefined
    written.push({ src, alt })
  }
  return imagesCell(written)
}

/** The widths of columns, as GitBook lays them out. */
const widthsOf = (rows: readonly (readonly string[])[], count: number): number[] =>
  Array.from({ length: count }, (_, index) => {
    let width = 3
    for (const row of rows) width = Math.max(width, Math.min(row[index]?.length ?? 0, PADDED_WIDTH_MAX))
    return width
  })

type Side = 'left' | 'center' | 'right'

const rowLine = (cells: readonly string[], sides: readonly Side[], widths: readonly number[]): string =>
  `| ${cells.map((cell, index) => pad(cell, widths[index] ?? 0, sides[index])).join(' | ')} |`

function ruleLine(sides: readonly Side[], widths: readonly number[]): string {
  const rule = sides.map((side, index) => {
    const dashes = '-'.repeat(widths[index] ?? 3)
    if (side === 'right') return `${dashes.slice(1)}:`
    return side === 'center' ? `:${dashes.slice(2)}:` : dashes
  })
  return `| ${rule.join(' | ')} |`
}

function pad(cell: string, width: number, side: Side | undefined): string {
  if (side === 'right') return cell.padStart(width)
  if (side !== 'center') return cell.padEnd(width)
  return cell.padStart(cell.length + Math.floor(Math.max(0, width - cell.length) / 2)).padEnd(width)
}

// ---- HTML ------------------------------------------------------------------------------------------------

/** Longer tables have a line for each row: lines of this length are what a reader of Markdown gets slow at. */
const LINE_CHARACTERS_MAX = 4_000

function htmlTable(grid: Grid, rendering: Rendering): Lines {
  const heads = grid.columns.map(column => headHtml(column, grid.table.data.view))
  const rows = rowsWithSpans(grid).map(
    cells => `<tr>${cells.map(one => cellOf(one, grid, rendering)).join('')}</tr>`,
  )
  const open = `${tableTag(grid.table)}<thead><tr>${heads.join('')}</tr></thead><tbody>`
  const close = '</tbody></table>'
  const line = open + rows.join('') + close
  return (line.length <= LINE_CHARACTERS_MAX ? line : [open, ...rows, close].join('\n')).split('\n')
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

/** A cell with how far it reaches over those beside and below it. */
type Cell = { readonly column: Definition; readonly value: Value | undefined; columns: number; rows: number }

/**
 * The cells of each row. One that a row does not have is one that another reaches over: the one above it, or else the
 * one before it.
 */
function rowsWithSpans({ columns, rows }: Grid): Cell[][] {
  /** For each column the cell that is above, while it can still grow. */
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
