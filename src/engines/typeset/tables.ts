// Tables: each cell in its place, so that whatever a page says of spans, no two of them meet.
import type { Element } from 'hast'
import { classesOf } from './code.ts'
import type { Block, Cell, Table } from './nodes.ts'
import { directionOf, squeeze } from './words.ts'
import { elementsOf, textOf, type Writing } from './writing.ts'

/** More are cut: no sheet is wide enough. */
const COLUMNS_MAX = 40

type Row = { readonly cells: readonly Element[]; readonly isHead: boolean }

export function writeTable(
  node: Element,
  writing: Writing,
  writeCell: (cell: Element) => Block[],
): Table | undefined {
  const rows = readRows(node)
  const width = Math.min(COLUMNS_MAX, Math.max(0, ...rows.map(({ cells }) => widthOf(cells))))
  if (width === 0) return undefined
  const headRows = rows.findIndex(({ isHead }) => !isHead)
  const headCount = headRows === -1 ? rows.length : headRows
  const places = placeCells(rows, width, headCount)
  return {
    dir: directionOf(textOf(node.children)),
    shares: sharesOf(places, width),
    headRows: headCount === rows.length ? 0 : headCount,
    cells: writing.inCell(() =>
      places.map(({ element, ...place }) => ({
        ...place,
        align: alignOf(element),
        isHead: element.tagName === 'th',
        inside: writeCell(element),
      })),
    ),
  }
}

function readRows(node: Element): Row[] {
  const rows: Row[] = []
  const visit = (children: readonly Element[], isHead: boolean) => {
    for (const child of children) {
      if (child.tagName === 'tr') rows.push({ cells: elementsOf(child.children), isHead })
      else if (!classesOf(child).includes('unseen'))
        visit(elementsOf(child.children), child.tagName === 'thead')
    }
  }
  visit(elementsOf(node.children), false)
  return rows
}

const spanOf = (value: unknown): number => Math.max(1, Math.trunc(Number(value)) || 1)

const widthOf = (cells: readonly Element[]): number =>
  cells.reduce((sum, { properties }) => sum + spanOf(properties.colSpan), 0)

type Place = Pick<Cell, 'x' | 'y' | 'colspan' | 'rowspan'> & { readonly element: Element }

/** As HTML lays cells out, but a span ends where another cell, the head or the table does. */
function placeCells(rows: readonly Row[], width: number, headCount: number): Place[] {
  const taken = new Set<number>()
  const places: Place[] = []
  for (const [y, { cells }] of rows.entries()) {
    let x = 0
    for (const element of cells) {
      while (x < width && taken.has(y * width + x)) x += 1
      if (x >= width) break
      const wanted = spanOf(element.properties.colSpan)
      let colspan = 1
      while (colspan < wanted && x + colspan < width && !taken.has(y * width + x + colspan)) colspan += 1
      const last = y < headCount ? headCount : rows.length
      const rowspan = Math.min(spanOf(element.properties.rowSpan), last - y)
      for (let row = y; row < y + rowspan; row += 1)
        for (let column = x; column < x + colspan; column += 1) taken.add(row * width + column)
      places.push({ element, x, y, colspan, rowspan })
      x += colspan
    }
  }
  return places
}

const SHARE_MIN = 5
const SHARE_MAX = 48

/**
 * A column gets room for its longest word and, up to a bound, for its longest text: measured here by characters, because
 * the typesetter would lay out every cell several times.
 */
function sharesOf(places: readonly Place[], width: number): number[] {
  const words = new Array<number>(width).fill(SHARE_MIN)
  const texts = new Array<number>(width).fill(SHARE_MIN)
  for (const { element, x, colspan } of places) {
    if (colspan > 1) continue
    const text = squeeze(textOf(element.children)).trim()
    const longest = text.split(' ').reduce((most, word) => Math.max(most, word.length), 0)
    words[x] = Math.max(words[x] ?? 0, Math.min(longest + 1, SHARE_MAX / 2))
    texts[x] = Math.max(texts[x] ?? 0, Math.min(text.length, SHARE_MAX))
  }
  return texts.map((text, column) => Math.max(text, words[column] ?? 0))
}

const ALIGNMENTS: ReadonlySet<string> = new Set(['left', 'center', 'right', 'start', 'end'])

function alignOf(cell: Element): string | null {
  const chosen = classesOf(cell)
    .find(name => name.startsWith('align-'))
    ?.slice('align-'.length)
  const align = chosen ?? String(cell.properties.align ?? '')
  return ALIGNMENTS.has(align) ? align : null
}
