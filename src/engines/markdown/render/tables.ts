// Tables: between pipes where those can say all of it, else as HTML, in the form in which GitBook writes it.
import type { Block, BlockOf, Definition, Fragment, Value } from '../document/document.ts'
import { areHtml, arePipeable, cellHtml, cellParts } from './html-blocks.ts'
import { imagesCell, markdownCell, markdownWords } from './markdown-line.ts'
import { htmlAttribute } from './quoting.ts'
import type { Lines, Rendering } from './rendering.ts'
import type { TableStyle } from './styles.ts'
import { headHtml, valueHtml } from './table-columns.ts'

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
    : [...[...ids].map(id => definition[id]!), ...defined.filter(one => !ids.has(one.id))]
  const rows = Object.entries(records)
    .map(([id, record]) => ({ id, ...record }))
    .sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0))
  const words = new Map<string, readonly Block[]>()
  for (const one of (table.fragments ?? []) as Fragment[])
    if (!words.has(one.fragment)) words.set(one.fragment, one.nodes)
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
  return column.type === 'text' ? [textBlock(value)] : undefined
}

const textBlock = (text: string): Block => ({
  object: 'block',
  type: 'paragraph',
  isVoid: false,
  data: {},
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
})

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
  const rows = [head]
  for (const row of grid.rows) {
    const cells: string[] = []
    for (const column of grid.columns) {
      const value = row.values[column.id]
      if (value === undefined) break
      const cell = pipeCell(wordsOf(value, column, grid) ?? [], rendering)
      if (cell === undefined) return undefined
      cells.push(cell)
    }
    rows.push(cells)
  }
  return style?.widths === undefined
    ? layOut(rows, grid.columns)
    : layBeside(rows, grid, style.widths, style.rows)
}

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
function pipeImages({ data, nodes }: BlockOf<'images'>, rendering: Rendering): string | undefined {
  if (Object.values(data).some(one => one !== undefined)) return undefined
  const written: { src: string; alt: string }[] = []
  for (const image of nodes as BlockOf<'image'>[]) {
    const { ref, refDark, width, height, alt } = image.data
    const src = rendering.write(ref)
    const isPlain =
      refDark === undefined && width === undefined && height === undefined && !image.fragments?.length
    if (!isPlain || src === undefined) return undefined
    written.push({ src, alt: alt ?? '' })
  }
  return imagesCell(written)
}

/** Cells in columns, as GitBook lays them out. */
function layOut(rows: readonly (readonly string[])[], columns: readonly Definition[]): Lines {
  const widths = columns.map((_, index) => {
    let width = 3
    for (const row of rows) width = Math.max(width, Math.min(row[index]?.length ?? 0, PADDED_WIDTH_MAX))
    return width
  })
  const [head, ...body] = rows
  return [
    rowLine(head!, columns, widths),
    ruleLine(columns, widths),
    ...body.map(cells => rowLine(cells, columns, widths)),
  ]
}

/** The rows that are new in the columns of a table that somebody wrote; the others are as narrow as they can be. */
function layBeside(
  [head, ...body]: readonly (readonly string[])[],
  { columns, rows }: Grid,
  widths: readonly number[],
  known: ReadonlySet<string>,
): Lines {
  return [
    rowLine(head!, columns, []),
    ruleLine(columns, []),
    ...body.map((cells, index) => rowLine(cells, columns, known.has(rows[index]!.id) ? [] : widths)),
  ]
}

const sideOf = (column: Definition): string => (column.type === 'text' ? column.textAlignment : 'left')

const rowLine = (
  cells: readonly string[],
  columns: readonly Definition[],
  widths: readonly number[],
): string =>
  `| ${cells.map((cell, index) => pad(cell, widths[index] ?? 0, sideOf(columns[index]!))).join(' | ')} |`

function ruleLine(columns: readonly Definition[], widths: readonly number[]): string {
  const rule = columns.map((column, index) => {
    const dashes = '-'.repeat(widths[index] ?? 3)
    if (sideOf(column) === 'right') return `${dashes.slice(1)}:`
    return sideOf(column) === 'center' ? `:${dashes.slice(2)}:` : dashes
  })
  return `| ${rule.join(' | ')} |`
}

function pad(cell: string, width: number, side: string): string {
  const room = Math.max(0, width - cell.length)
  if (side === 'right') return ' '.repeat(room) + cell
  if (side !== 'center') return cell + ' '.repeat(room)
  const before = Math.floor(room / 2)
  return ' '.repeat(before) + cell + ' '.repeat(room - before)
}

// ---- HTML ------------------------------------------------------------------------------------------------

/** Longer tables have a line for each row: lines of this length are what a reader of Markdown gets slow at. */
const LINE_CHARACTERS_MAX = 4_000

function htmlTable(grid: Grid, rendering: Rendering): Lines {
  const heads = grid.columns.map(column => headHtml(column, grid.table.data.view))
  const spans = spansOf(grid)
  const rows = grid.rows.map((row, index) => {
    const cells = grid.columns.map((column, at) => {
      const span = spans[index]![at]
      return span === undefined ? '' : cell(row.values[column.id], column, span, grid, rendering)
    })
    return `<tr>${cells.join('')}</tr>`
  })
  const open = `<${['table', ...tableAttributes(grid.table)].join(' ')}><thead><tr>${heads.join('')}</tr></thead><tbody>`
  const close = '</tbody></table>'
  const line = open + rows.join('') + close
  if (line.length <= LINE_CHARACTERS_MAX) return line.split('\n')
  return [open, ...rows, close].join('\n').split('\n')
}

function tableAttributes({ data: { view, fullWidth, search } }: Table): string[] {
  const attributes: string[] = []
  if (search !== undefined) attributes.push(htmlAttribute('data-search', String(search)))
  if (view.type === 'cards') {
    if (view.cardSize === 'large') attributes.push('data-card-size="large"')
    if (view.hideColumnTitle) attributes.push('data-column-title-hidden')
    attributes.push('data-view="cards"')
    if (view.wrap) attributes.push('data-wrap')
  } else {
    if (view.hideHeader) attributes.push('data-header-hidden')
    if (view.stickyHeader) attributes.push('data-sticky-header')
    if (view.stickyFirstColumn) attributes.push('data-sticky-first-column')
  }
  if (fullWidth) attributes.push('data-full-width="true"')
  return attributes
}

type Span = { readonly columns: number; readonly rows: number }

/**
 * How far each cell reaches; undefined where there is none. A cell that a row does not have is one that another
 * reaches over: the one above it, or else the one before it.
 */
function spansOf({ columns, rows }: Grid): (Span | undefined)[][] {
  const has = (row: number, column: number): boolean => rows[row]!.values[columns[column]!.id] !== undefined
  const result: ({ columns: number; rows: number } | undefined)[][] = rows.map(() => [])
  /** For each column the cell that is above, while it can still grow. */
  const above: ({ columns: number; rows: number } | undefined)[] = columns.map(() => undefined)
  for (const row of rows.keys()) {
    let before: { columns: number; rows: number } | undefined
    for (const column of columns.keys()) {
      const over = above[column]
      if (has(row, column) || (over === undefined && before === undefined)) {
        before = { columns: 1, rows: 1 }
        above[column] = before
        result[row]!.push(before)
        continue
      }
      if (over !== undefined) over.rows++
      else before!.columns++
      before = over === undefined ? before : undefined
      result[row]!.push(undefined)
    }
  }
  return result
}

function cell(
  value: Value | undefined,
  column: Definition,
  span: Span,
  grid: Grid,
  rendering: Rendering,
): string {
  const words = wordsOf(value, column, grid)
  const typed = words === undefined ? valueHtml(value, column, rendering) : undefined
  const attributes = [
    ...(span.columns > 1 ? [`colspan="${span.columns}"`] : []),
    ...(span.rows > 1 ? [`rowspan="${span.rows}"`] : []),
    ...(typed?.attributes ?? []),
  ]
  if (column.type === 'text') {
    if (column.textAlignment !== 'left') attributes.push(htmlAttribute('align', column.textAlignment))
    if (column.verticalAlignment !== 'top') attributes.push(htmlAttribute('valign', column.verticalAlignment))
  }
  return `<${['td', ...attributes].join(' ')}>${typed?.html ?? wordsHtml(words ?? [], rendering)}</td>`
}

function wordsHtml(blocks: readonly Block[], rendering: Rendering): string {
  if (areHtml(blocks)) return cellHtml(blocks, rendering)
  const lines = rendering.blocks(blocks)
  return lines.length === 0 ? '' : ['', '', ...lines, '', ''].join('\n')
}
