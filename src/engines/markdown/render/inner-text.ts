// The text inside a block that holds others, in the page that somebody wrote: its lines without what indents or quotes
// them, and a new text with that again. A line that stays keeps what it had.
import { schemaOf } from '../blocks/schemas.ts'
import { ALLOWED_CHILDREN, type Block, heldBy } from '../document/document.ts'
import { blockOf, type TagBlock } from '../reading/reading.ts'
import { isNamed, matchAt, type Node } from '../syntax/syntax.ts'
import { align } from './alignment.ts'

/** The nodes in a node, and the blocks that it may hold; items that only it may hold have no such bound. */
export type Inside = { readonly nodes: readonly Node[]; readonly holds: readonly string[] | undefined }
export type Content = Inside & { readonly holds: readonly string[] }

/** What the node holds that a block was made from; undefined if it is not read as the block is. */
export function insideOf(node: Node, { type }: Block): Inside | undefined {
  const block = blockOf(node)
  if (block !== undefined) return insideOfTag(block, type)
  switch (type) {
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return node.type === 'list' ? { nodes: node.children, holds: undefined } : undefined
    case 'list-item':
      return node.type === 'listItem' ? contentIn(node.children, type) : undefined
    case 'blockquote':
      return node.type === 'blockquote' ? contentIn(node.children, type) : undefined
    case 'expandable':
      return isNamed(node, 'details')
        ? contentIn(
            node.children.filter(child => !isNamed(child, 'summary')),
            'expandable-body',
          )
        : undefined
    default:
      return undefined
  }
}

function insideOfTag({ name, tag }: TagBlock, type: Block['type']): Inside | undefined {
  const { types, item, holds } = schemaOf(name)
  if (!types.includes(type)) return undefined
  const nodes = tag.children.filter(child => !isBlank(child))
  if (holds !== undefined) return { nodes, holds: heldBy(name) }
  const areItems = nodes.every(child => blockOf(child)?.name === item)
  return item !== undefined && areItems ? { nodes, holds: undefined } : undefined
}

export const contentIn = (nodes: readonly Node[], holder: keyof typeof ALLOWED_CHILDREN): Content => ({
  nodes: nodes.filter(node => !isBlank(node)),
  holds: ALLOWED_CHILDREN[holder],
})

const isBlank = (node: Node): boolean => node.type === 'text' && node.value.trim() === ''

export type InnerText = {
  /** Where it is in the source, from its first word on. */
  readonly start: number
  readonly end: number
  readonly text: string
  /** The same text, changed, as it is written in the source. */
  readonly write: (text: string) => string
}

/** A line without its end: what stands before its text, and how many spaces of the text are half of a tab there. */
type Line = { readonly before: string; readonly text: string; readonly halves: number }

/** The text of the nodes that `holder` holds; undefined if other words are on its lines. */
export function readInnerText(source: string, holder: Node, nodes: readonly Node[]): InnerText | undefined {
  const [first] = nodes
  const last = nodes.at(-1)
  if (first === undefined || last === undefined) return undefined
  const { start } = first.position
  const { end } = last.position
  if (holder.type === 'tag' || holder.type === 'element') {
    const isAlone =
      BLANK.test(source.slice(lineStart(source, start), start)) && BLANK_LINE.test(source.slice(end))
    if (!isAlone || end >= holder.position.end) return undefined
  }
  const width = holder.type === 'listItem' ? widthOf(source, holder) : 0
  const cut = holder.type === 'blockquote' ? withoutQuote : (line: string) => withoutIndent(line, width)
  const lines = source
    .slice(start, end)
    .split(LINE_END)
    .map((line, index) => (index === 0 ? { before: '', text: line, halves: 0 } : cut(line)))
  const lineEnd = LINE_END.exec(source.slice(start))?.[0] ?? '\n'
  const isUsual = ({ before, text, halves }: Line, index: number) =>
    index > 0 &&
    text !== '' &&
    halves === 0 &&
    (holder.type === 'blockquote' ? before !== '' : columnsOf(before) === width)
  const usual = lines.find(isUsual)?.before ?? (holder.type === 'blockquote' ? '> ' : ' '.repeat(width))
  return {
    start,
    end,
    text: lines.map(line => line.text).join(lineEnd),
    write: text => writeLines(lines, text.split(LINE_END), usual).join(lineEnd),
  }
}

const LINE_END = /\r\n|\n/
const BLANK = /^[ \t]*$/
const BLANK_LINE = /^[ \t]*(?:\r\n|\n)/

const lineStart = (source: string, at: number): number => source.lastIndexOf('\n', at - 1) + 1

const MARKER = /(?:[-*+]|\d{1,9}[.)])(?:( {1,4}|\t)(?![ \r\n]))?/y

/** The column where the words of an item begin. */
function widthOf(source: string, { position: { start } }: Node): number {
  const match = matchAt(MARKER, source, start)
  const marker = match?.[0] ?? ''
  const indent = source.slice(lineStart(source, start), start).replace('\ufeff', '')
  return columnsOf(indent + marker) + (match?.[1] === undefined ? 1 : 0)
}

const TAB_STOP = 4

function columnsOf(text: string): number {
  let column = 0
  for (const char of text) column += char === '\t' ? TAB_STOP - (column % TAB_STOP) : 1
  return column
}

function withoutIndent(line: string, width: number): Line {
  let at = 0
  let column = 0
  for (; column < width && (line[at] === ' ' || line[at] === '\t'); at++)
    column += line[at] === '\t' ? TAB_STOP - (column % TAB_STOP) : 1
  const halves = Math.max(0, column - width)
  if (line.slice(at).trim() === '') return { before: line, text: '', halves: 0 }
  return { before: line.slice(0, at), text: ' '.repeat(halves) + line.slice(at), halves }
}

function withoutQuote(line: string): Line {
  const before = /^ {0,3}> ?/.exec(line)?.[0] ?? ''
  return { before, text: line.slice(before.length), halves: 0 }
}

function writeLines(before: readonly Line[], after: readonly string[], usual: string): string[] {
  const written = after.map((text, index) => {
    if (index === 0) return text
    return text === '' ? usual.trimEnd() : usual + text
  })
  const runs = align(
    before.map(line => line.text),
    after,
  )
  let from = 0
  let to = 0
  for (const { a, b, length } of [...runs, { a: before.length, b: after.length, length: 0 }]) {
    // As many lines as before, between lines that stay, are those lines with other words.
    const start = a - from === b - to ? from - to : a - b
    for (let at = a - from === b - to ? to : b; at < b + length; at++) {
      const line = before[start + at]
      const text = after[at] ?? ''
      // What was on the line of a marker has nothing before it.
      if (line === undefined || start + at === 0 || at === 0) continue
      if (line.text === text) written[at] = line.before + text.slice(line.halves)
      else if (line.halves === 0 && line.text !== '' && text !== '') written[at] = line.before + text
    }
    from = a + length
    to = b + length
  }
  return written
}
