// Tables between pipes.
import type { Block, BlockOf } from '../../document/document.ts'
import {
  imagesCell,
  type Lines,
  markdownCell,
  markdownWords,
  type Rendering,
  type TableStyle,
} from '../../render/tagging.ts'
import { arePipeable, cellParts } from './markdown-cells.ts'
import { type Grid, type Row, wordsOf } from './markdown-grid.ts'

/** Other cells are not padded to the width of wider cells. */
const PADDED_WIDTH_MAX = 200

/** The table between pipes; undefined if pipes cannot express it. */
export function pipeTable(
  grid: Grid,
  rendering: Rendering,
  style: TableStyle | undefined,
): Lines | undefined {
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
  // In a table that somebody wrote, only new rows are padded to the columns.
  const { widths, rows: known } = style
  return [
    rowLine(head, sides, []),
    ruleLine(sides, []),
    ...body.map(row => rowLine(row.cells, sides, known.has(row.id) ? [] : widths)),
  ]
}

type PipeRow = { readonly id: string; readonly cells: readonly string[] }

/** Whether all cells of a row are words, with none missing except at its end. */
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
