// The rows of an HTML table as they are quoted: whole, because the cells of a row explain each other.
import { type Block, childrenOf, isCell, isNamed, type Node, tableRows, toBlocks } from '../syntax/syntax.ts'

/** `head` as in a pipe table: the line of the heads, and one of dashes. */
export type QuotedRows = {
  readonly head: string
  readonly pieces: readonly { readonly text: string; readonly markdown: string }[]
}

/** A paragraph, in words and as Markdown. */
export type QuotedText = { readonly text: string; readonly markdown: string }

// A table with more columns is a spreadsheet, which is not an answer.
const CELLS_MAX = 12

/** Undefined for anything but a table of rows: cards are read one by one. */
export function quotedRows(node: Node, tell: (paragraph: Block) => QuotedText): QuotedRows | undefined {
  if (!isNamed(node, 'table') || node.attributes['data-view'] !== undefined) return undefined
  const rows = tableRows(node).map(({ row }) => row.children.filter(isCell))
  const columns = rows.reduce((most, cells) => Math.max(most, cells.length), 0)
  if (columns === 0 || columns > CELLS_MAX) return undefined
  const [first = [], ...others] = rows
  const hasHead = first.every(cell => isNamed(cell, 'th'))
  const heads = hasHead ? first : []
  const shown = Array.from({ length: columns }, (_, at) => at).filter(at => !isHidden(heads[at]))
  const cellsOf = (cells: readonly Node[]) => shown.map(at => toCell(cells[at], tell))
  const pieces = (hasHead ? others : rows).map(cells => {
    const told = cellsOf(cells)
    return {
      text: told
        .map(({ text }) => text)
        .join(' ')
        .trim(),
      markdown: toLine(told),
    }
  })
  return { head: `${toLine(cellsOf(heads))}\n|${' --- |'.repeat(shown.length)}`, pieces }
}

const isHidden = (head: Node | undefined): boolean =>
  head?.type === 'element' && head.attributes['data-hidden'] !== undefined

function toCell(cell: Node | undefined, tell: (paragraph: Block) => QuotedText): QuotedText {
  const told = (cell === undefined ? [] : paragraphsIn(cell)).map(tell)
  const joined = (of: keyof QuotedText) =>
    told
      .map(one => one[of])
      .join(' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  return { text: joined('text'), markdown: joined('markdown') }
}

const paragraphsIn = (node: Node): Block[] =>
  toBlocks(childrenOf(node)).flatMap(block => (block.type === 'paragraph' ? [block] : paragraphsIn(block)))

const toLine = (cells: readonly QuotedText[]): string =>
  `|${cells.map(({ markdown }) => ` ${markdown.replaceAll(/(?<!\\)\|/g, '\\|')} |`).join('')}`
