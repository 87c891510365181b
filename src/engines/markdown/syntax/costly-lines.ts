// Text that would take the CommonMark parser too long. It is linear on what people write, but four things are
// quadratic in it, measured on its version 0.10.5:
// - the column of a node in a line that is not ASCII is counted from the beginning of the line: a line of 160,000
//   characters with 40,000 pieces of markup took 2.3 s;
// - the whole paragraph is searched for the partner of each delimiter of emphasis and each address: 400,000 characters
//   of `*a_ ` took 3.2 s, one address of 300,000 characters with 50,000 of `_`, as base64url has them, 4.7 s;
// - containers opened on one line: 100,000 times `>` took 2.7 s;
// - what may follow an address without being a part of it, inside one: `https://a.b` with 100,000 of `!` took 6 s.
// Where a document has more of this than anybody writes, the rest of such lines is read as plain text.

import type { Position } from './ast.ts'
import { ListItems } from './list-items.ts'
import { matchAt } from './sticky.ts'

/** Spans that are not to be read as Markdown, in order, each inside one line. */
type Costly = {
  /** Ends of lines: hidden whole. */
  readonly tails: Position[]
  /** Spans whose delimiters mean nothing. */
  readonly inert: Position[]
}

// The unit is a piece of markup times the characters before it; all of them take the parser less than 0.1 s. Of 393
// real pages one has a tenth of it.
const COST_MAX = 150_000_000
// An address is looked for in every open bracket.
const ADDRESS_COST = 3
// Shorter paragraphs cannot add up to much.
const PARAGRAPH_CHARACTERS_MIN = 4000
const CONTAINERS_MAX = 100
const FOLLOWING_CHARACTERS_MAX = 300

const NOT_ASCII = /[^\x00-\x7f]/
const MARKUP = /[!$&*<>[\]\\_`{|}~@]|https?:|www\./gi
const DELIMITER = /\*+|_+|~+|@|:\/\/|www\./gi
const ADDRESS = /:\/\/|www\./i
const FOLLOWING = /(?:[!"')*,.:;?\]_~]|&[a-z][a-z0-9]*;)+/gi
const CONTAINER = /[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y
const LINE_END = /\r\n?|\n/g
const BLANK_LINE = /[ \t]*(?:[\r\n]|$)/y
const ROW = / {0,3}\|/y
const DELIMITER_ROW = /^ {0,3}\|(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*(?::?-+:?[ \t]*)?$/

export function findCostly(source: string): Costly {
  const costly: Costly = { tails: [], inert: [] }
  let budget = COST_MAX
  let paragraph: Position[] = []
  let isTable = false
  const items = new ListItems()
  const close = () => {
    const [first, last] = [paragraph[0], paragraph.at(-1)]
    if (first && last && last.end - first.start >= PARAGRAPH_CHARACTERS_MIN)
      budget = cutParagraph(source, paragraph, { start: first.start, end: last.end }, budget, costly)
    else for (const line of paragraph) cutAt(source, line, endOfUsual(source, line), costly)
    paragraph = []
  }
  for (let start = 0; start < source.length; ) {
    const lineEnd = matchAt(LINE_END, source, start)
    const end = lineEnd?.index ?? source.length
    if (matchAt(BLANK_LINE, source, start)) {
      close()
      isTable = false
      items.addBlank()
    } else {
      // An item of a list is a paragraph of its own: a table of contents has ten thousand of them without a blank line.
      // So is a row of a table.
      isTable &&= matchAt(ROW, source, start) !== null
      if (items.beginsWith(source.slice(start, end)) || isTable) close()
      paragraph.push({ start, end })
      isTable ||= isTableHead(source, paragraph)
    }
    start = end + (lineEnd?.[0].length ?? 0)
  }
  close()
  return costly
}

/** Two lines that begin a table for certain: what begins with `|` is nothing else, and both have as many cells. */
function isTableHead(source: string, [names, delimiters, more]: readonly Position[]): boolean {
  if (names === undefined || delimiters === undefined || more !== undefined) return false
  const first = source.slice(names.start, names.end).trimEnd()
  const second = source.slice(delimiters.start, delimiters.end).trimEnd()
  return (
    matchAt(ROW, source, names.start) !== null &&
    DELIMITER_ROW.test(second) &&
    cellsOf(first) === cellsOf(second)
  )
}

const cellsOf = (row: string): number => row.match(/\\.|\|(?=.)/g)?.filter(mark => mark === '|').length ?? 0

/** Cuts the lines of one paragraph where the budget ends; answers what is left of it. */
function cutParagraph(
  source: string,
  lines: readonly Position[],
  { start, end }: Position,
  budget: number,
  costly: Costly,
): number {
  let delimiters = 0
  let left = budget
  for (const line of lines) {
    const text = source.slice(line.start, line.end)
    let cut = endOfUsual(source, line)
    if (text.length >= PARAGRAPH_CHARACTERS_MIN && NOT_ASCII.test(text)) {
      const { cost, at } = costOf(text, left)
      left -= cost
      cut = Math.min(cut, line.start + at)
    }
    cutAt(source, line, cut, costly)
    for (const { 0: found, index } of text.matchAll(DELIMITER)) {
      const at = line.start + index
      if (at >= cut) break
      const cost = /[:w]/i.test(found) ? ADDRESS_COST : 1
      if ((delimiters + cost) * (at - start) > left) {
        costly.inert.push({ start: at, end: cut })
        break
      }
      delimiters += cost
    }
  }
  return Math.max(0, left - delimiters * (end - start))
}

/** What it costs to read a line that is not ASCII, and how far the budget lasts. */
function costOf(line: string, budget: number): { cost: number; at: number } {
  let pieces = 0
  for (const { index } of line.matchAll(MARKUP)) {
    pieces++
    if (pieces * index > budget) return { cost: budget, at: index }
  }
  return { cost: pieces * line.length, at: line.length }
}

/** Where a line has more containers, or more that may follow an address, than anybody writes; else its end. */
function endOfUsual(source: string, { start, end }: Position): number {
  const line = source.slice(start, end)
  if (line.length <= CONTAINERS_MAX) return end
  return start + Math.min(containersEnd(line), followingStart(line))
}

/** The place where a line has too many containers, at its beginning or after a tag, where Markdown begins anew. */
function containersEnd(line: string): number {
  for (let at = 0; at < line.length; ) {
    const from = containersEndAt(line, at)
    if (from !== undefined) return from
    const tag = line.indexOf('%}', at)
    at = tag === -1 ? line.length : tag + 2
  }
  return line.length
}

function containersEndAt(line: string, start: number): number | undefined {
  let at = start
  for (let containers = 0; containers < CONTAINERS_MAX; containers++) {
    const found = matchAt(CONTAINER, line, at)
    if (!found) return undefined
    at += found[0].length
  }
  return at
}

function followingStart(line: string): number {
  const address = line.search(ADDRESS)
  if (address !== -1)
    for (const { 0: following, index } of line.matchAll(FOLLOWING))
      if (index > address && following.length > FOLLOWING_CHARACTERS_MAX) return index
  return line.length
}

// A mask is as long as what it hides, so that a few characters are not worth one.
const TAIL_CHARACTERS_MIN = 10

function cutAt(source: string, line: Position, cut: number, { tails }: Costly): void {
  const tail = source.slice(cut, line.end)
  const start = cut + (/^[\s\udc00-\udfff]+/.exec(tail)?.[0].length ?? 0)
  const end = cut + tail.trimEnd().length
  if (end - start >= TAIL_CHARACTERS_MIN) tails.push({ start, end })
}
