// The rows of an HTML table as they are quoted: whole, because the cells of a row explain each other.
import { type Block, childrenOf, isNamed, type Node, toBlocks } from '../../syntax/syntax.ts'
import { labelledContent } from './cells.ts'
import { type Cell, type Column, type Row, readTable } from './reading.ts'

/** `head` as in a pipe table: the line of the heads, and one of dashes. */
type QuotedRows = {
  readonly head: string
  readonly pieces: readonly { readonly text: string; readonly markdown: string }[]
}

/** A paragraph, in words and as Markdown. */
export type QuotedText = { readonly text: string; readonly markdown: string }

// A table with more columns is a spreadsheet, which is not an answer.
const CELLS_MAX = 12

/** Undefined for anything but a table of rows in HTML: cards are read one by one. */
export function quotedRows(node: Node, tell: (paragraph: Block) => QuotedText): QuotedRows | undefined {
  const table = isNamed(node, 'table') ? readTable(node) : undefined
  if (table === undefined || table.data.view === 'cards') return undefined
  const { columns, head = [], rows } = table
  if (columns.length === 0 || columns.length > CELLS_MAX) return undefined
  const shown = [...columns.keys()].filter(at => !columns[at]?.isHidden)
  const cellsOf = (row: Row) =>
    shown.map(at =>
      toCell(
        row.find(({ column }) => column === at),
        columns[at],
        tell,
      ),
    )
  const pieces = rows.map(row => {
    const told = cellsOf(row)
    return {
      text: told
        .map(({ text }) => text)
        .join(' ')
        .trim(),
      markdown: toLine(told),
    }
  })
  return { head: `${toLine(cellsOf(head))}\n|${' --- |'.repeat(shown.length)}`, pieces }
}

function toCell(
  cell: Cell | undefined,
  column: Column | undefined,
  tell: (paragraph: Block) => QuotedText,
): QuotedText {
  const content = cell === undefined || column === undefined ? [] : labelledContent(cell, column)
  const told = paragraphsIn(content).map(tell)
  const joined = (of: keyof QuotedText) =>
    told
      .map(one => one[of])
      .join(' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  return { text: joined('text'), markdown: joined('markdown') }
}

const paragraphsIn = (nodes: readonly Node[]): Block[] =>
  toBlocks(nodes).flatMap(block => (block.type === 'paragraph' ? [block] : paragraphsIn(childrenOf(block))))

const toLine = (cells: readonly QuotedText[]): string =>
  `|${cells.map(({ markdown }) => ` ${markdown.replaceAll(/(?<!\\)\|/g, '\\|')} |`).join('')}`
