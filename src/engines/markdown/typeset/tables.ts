// Tables: places each cell so that no two overlap, whatever spans a page has.
import type { Element } from 'hast'
import { drawnSide, isForScreens } from '../html/values.ts'
import { collapseSpaces, directionOf } from './line-words.ts'
import type { Block, Cell, Table } from './nodes.ts'
import { elementsOf, textOf, type Writing } from './writing.ts'

/** Further columns are cut: no sheet is wide enough. */
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
  const firstOfBody = rows.findIndex(({ isHead }) => !isHead)
  // A head without a body is not a head.
  const headRows = Math.max(0, firstOfBody)
  const places = placeCells(rows, width, headRows)
  return {
    dir: directionOf(textOf(node.children)),
    shares: sharesOf(places, width),
    headRows,
    cells: places.map(({ element, ...place }) => ({
      ...place,
      align: alignOf(element),
      isHead: element.tagName === 'th',
      inside:
        place.y < headRows
          ? writing.inRepeatedCell(() => writeCell(element))
          : writing.inCell(() => writeCell(element)),
    })),
  }
}

function readRows(node: Element): Row[] {
  const rows: Row[] = []
  const visit = (children: readonly Element[], isHead: boolean) => {
    for (const child of children) {
      if (child.tagName === 'tr') rows.push({ cells: elementsOf(child.children), isHead })
      else if (!isForScreens(child)) visit(elementsOf(child.children), child.tagName === 'thead')
    }
  }
  visit(elementsOf(node.children), false)
  return rows
}

const spanOf = (value: unknown): number => Math.max(1, Math.trunc(Number(value)) || 1)

const widthOf = (cells: readonly Element[]): number =>
  cells.reduce((sum, { properties }) => sum + spanOf(properties.colSpan), 0)

type PlacedCell = Pick<Cell, 'x' | 'y' | 'colspan' | 'rowspan'> & { readonly element: Element }

/** Places cells as HTML does, but a span ends at another cell, or at the end of the head or the table. */
function placeCells(rows: readonly Row[], width: number, headCount: number): PlacedCell[] {
  const taken = new Set<number>()
  const places: PlacedCell[] = []
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

/** How many characters fit on a line of a table; they are smaller if there are many columns. */
const sheetCharacters = (columns: number): number => (columns > 8 ? 135 : columns > 5 ? 115 : 100)
/** A longer word, which is broken, or a longer text does not widen a column further. */
const WORD_CHARACTERS_MAX = 26
const TEXT_CHARACTERS_MAX = 240
const PADDING_CHARACTERS = 3
/** Characters in code and in bold are wider. */
const WIDE = 1.15

/**
 * The widths of columns as in CSS 2.2 §17.5.2.2: each gets room for its longest word, and the rest is shared by the
 * length of the texts. Measured in characters, because the typesetter would lay out every cell several times.
 */
function sharesOf(places: readonly PlacedCell[], width: number): number[] {
  const words = new Array<number>(width).fill(PADDING_CHARACTERS)
  const texts = new Array<number>(width).fill(PADDING_CHARACTERS)
  for (const { element, x, colspan } of places) {
    if (colspan > 1) continue
    const text = collapseSpaces(textOf(element.children)).trim()
    const factor = element.tagName === 'th' || isWide(element) ? WIDE : 1
    const longest = text.split(' ').reduce((most, word) => Math.max(most, widthOfText(word)), 0)
    const room = (characters: number, most: number) =>
      Math.min(characters * factor, most) + PADDING_CHARACTERS
    words[x] = Math.max(words[x] ?? 0, room(longest, WORD_CHARACTERS_MAX))
    texts[x] = Math.max(texts[x] ?? 0, room(widthOfText(text), TEXT_CHARACTERS_MAX))
  }
  const sheet = sheetCharacters(width)
  const least = sum(words)
  const wanted = sum(texts.map((text, column) => Math.max(text, words[column] ?? 0)))
  if (wanted <= sheet) return texts
  const left = Math.max(0, sheet - least) / Math.max(1, wanted - least)
  return words.map((word, column) => word + Math.max(0, (texts[column] ?? 0) - word) * left)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Chinese, Japanese and Korean characters are twice as wide, and a line may end between any two of them. */
const WIDE_CHARACTERS = /[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/g

const widthOfText = (text: string): number => text.length + (text.match(WIDE_CHARACTERS)?.length ?? 0)

const isWide = (cell: Element): boolean =>
  elementsOf(cell.children).some(({ tagName }) => tagName === 'code' || tagName === 'strong')

const ALIGNMENTS: ReadonlySet<string> = new Set(['left', 'center', 'right', 'start', 'end'])

function alignOf(cell: Element): string | null {
  const align = drawnSide(cell) ?? String(cell.properties.align ?? '')
  return ALIGNMENTS.has(align) ? align : null
}
