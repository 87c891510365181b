// How many lines a page takes at the least, by which the cost of a file is known before it is typeset.
import type { Block, Line, Table } from './nodes.ts'

/** No line of a sheet has more, in the narrowest letters. */
const LINE_CHARACTERS_MAX = 140

/** A lower bound: of what is side by side, the longest counts, and a picture counts as one. */
export const countLines = (blocks: readonly Block[]): number => {
  let lines = 0
  for (const block of blocks) lines += linesOf(block)
  return lines
}

function linesOf(block: Block): number {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return linesOfText(block.inside)
    case 'list':
    case 'steps':
      return sum(block.items, ({ inside }) => Math.max(1, countLines(inside)))
    case 'quotation':
    case 'box':
    case 'note':
      return countLines(block.inside)
    case 'code':
      return block.lines.length
    case 'figure':
      return countLines(block.inside) + countLines(block.caption)
    case 'row':
      return longest(block.cells)
    case 'cards':
      return Math.ceil(sum(block.cards, countLines) / 2)
    case 'table':
      return linesOfTable(block.table)
    case 'tabs':
      return sum(block.tabs, ({ inside }) => 1 + countLines(inside))
    case 'picture':
    case 'card':
    case 'formula-block':
      return 1
    case 'rule':
    case 'anchor-block':
      return 0
  }
}

function linesOfTable({ cells }: Table): number {
  const rows = new Map<number, number>()
  // A cell over several rows is as high as all of them: it is beside what they have.
  let longestSpan = 0
  for (const { y, rowspan, inside } of cells) {
    const lines = countLines(inside)
    if (rowspan > 1) longestSpan = Math.max(longestSpan, lines)
    rows.set(y, Math.max(rows.get(y) ?? 1, rowspan > 1 ? 1 : lines))
  }
  return Math.max(
    longestSpan,
    sum([...rows.values()], lines => lines),
  )
}

const linesOfText = (line: Line): number =>
  Math.max(1, Math.ceil(countCharacters(line) / LINE_CHARACTERS_MAX))

function countCharacters(line: Line): number {
  return sum(line, part => {
    if (typeof part === 'string') return part.length
    if (part.kind === 'formula' || !('inside' in part)) return 0
    return countCharacters(part.inside)
  })
}

const longest = (cells: readonly (readonly Block[])[]): number => {
  let most = 0
  for (const cell of cells) most = Math.max(most, countLines(cell))
  return most
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  let all = 0
  for (const item of items) all += of(item)
  return all
}
