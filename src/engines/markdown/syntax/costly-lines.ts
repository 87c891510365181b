// Text that would take the CommonMark parser too long. It is linear on what people write, but three things are
// quadratic in it, measured on its version 0.10.5:
// - where a node stands in a line that is not ASCII is counted from the beginning of the line: a line of 160,000
//   characters with 40,000 pieces of markup took 2.3 s;
// - delimiters of emphasis and addresses that find no partner are looked for through the whole paragraph: 400,000
//   characters of `*a_ ` took 3.2 s;
//   in one address of 300,000 characters with 50,000 of `_`, as base64url has them, it took 4.7 s;
// - containers opened on one line: 100,000 times `>` took 2.7 s.
// Where a document has more of this than anybody writes, the rest of such lines is read as plain text.

/** Spans that are not to be read as Markdown, in order, each inside one line. */
export type Costly = {
  /** From somewhere to the end of a line: hidden whole. */
  readonly tails: readonly Span[]
  /** Spans whose delimiters mean nothing. */
  readonly inert: readonly Span[]
}

type Span = { readonly start: number; readonly end: number }

// One unit is one piece of markup times one character before it; all of them take the parser less than 0.1 s. Of 393
// real pages one has a tenth of it.
const COST_MAX = 150_000_000
// An address is looked for in every bracket that is open.
const ADDRESS_COST = 3
// Shorter paragraphs cannot add up to much.
const PARAGRAPH_CHARACTERS_MIN = 4000
const CONTAINERS_MAX = 100

const NOT_ASCII = /[^\x00-\x7f]/
const MARKUP = /[!$&*<>[\]\\_`{|}~@]|https?:|www\./gi
const DELIMITER = /\*+|_+|~+|@|:\/\/|www\./gi
const CONTAINER = /[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y

const ROW = / {0,3}\|/y
const DELIMITER_ROW = /^ {0,3}\|(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*(?::?-+:?[ \t]*)?$/

const BULLET = /[ \t]*[-+*][ \t]+\S/y

export function findCostly(source: string): Costly {
  const tails: Span[] = []
  const inert: Span[] = []
  let budget = COST_MAX
  let paragraph: Span[] = []
  let isTable = false
  const close = () => {
    const first = paragraph[0]
    const last = paragraph.at(-1)
    if (first && last && last.end - first.start >= PARAGRAPH_CHARACTERS_MIN)
      budget = cutParagraph(source, paragraph, budget, tails, inert)
    else for (const line of paragraph) cutAt(source, line, containersEnd(source, line), tails)
    paragraph = []
  }
  for (let start = 0; start < source.length; ) {
    const feed = source.indexOf('\n', start)
    const end = feed === -1 ? source.length : feed
    if (isBlank(source, start, end)) {
      close()
      isTable = false
    } else {
      // An item of a list is a paragraph of its own: a table of contents has ten thousand of them without a blank line.
      // So is a row of a table.
      isTable &&= isAt(ROW, source, start)
      if (isTable || isAt(BULLET, source, start)) close()
      paragraph.push({ start, end })
      isTable ||= isTableHead(source, paragraph)
    }
    start = end + 1
  }
  close()
  return { tails, inert }
}

function isAt(pattern: RegExp, source: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(source)
}

/** Two lines that begin a table for certain: what begins with `|` is nothing else, and both have as many cells. */
function isTableHead(source: string, [names, delimiters, more]: readonly Span[]): boolean {
  if (names === undefined || delimiters === undefined || more !== undefined) return false
  const [first, second] = [names, delimiters].map(({ start, end }) => source.slice(start, end).trimEnd())
  return isAt(ROW, source, names.start) && DELIMITER_ROW.test(second!) && cellsOf(first!) === cellsOf(second!)
}

const cellsOf = (row: string): number => row.match(/\\.|\|(?=.)/g)?.filter(mark => mark === '|').length ?? 0

function isBlank(source: string, start: number, end: number): boolean {
  let at = start
  while (at < end && (source[at] === ' ' || source[at] === '\t' || source[at] === '\r')) at++
  return at === end
}

/** Cuts the lines of one paragraph where the budget ends; answers what is left of it. */
function cutParagraph(
  source: string,
  lines: readonly Span[],
  budget: number,
  tails: Span[],
  inert: Span[],
): number {
  const from = lines[0]!.start
  let delimiters = 0
  let left = budget
  for (const line of lines) {
    const text = source.slice(line.start, line.end)
    let cut = containersEnd(source, line) ?? line.end
    if (text.length >= PARAGRAPH_CHARACTERS_MIN && NOT_ASCII.test(text)) {
      const { cost, at } = costOf(text, left)
      left -= cost
      cut = Math.min(cut, line.start + at)
    }
    if (cut < line.end) cutAt(source, line, cut, tails)
    DELIMITER.lastIndex = 0
    for (let found = DELIMITER.exec(text); found; found = DELIMITER.exec(text)) {
      const at = line.start + found.index
      if (at >= cut) break
      const cost = /[:w]/i.test(found[0]) ? ADDRESS_COST : 1
      if ((delimiters + cost) * (at - from) > left) {
        inert.push({ start: at, end: cut })
        break
      }
      delimiters += cost
    }
  }
  return Math.max(0, left - delimiters * (lines.at(-1)!.end - from))
}

/** What it costs to read a line that is not ASCII, and how far the budget lasts. */
function costOf(line: string, budget: number): { cost: number; at: number } {
  let pieces = 0
  MARKUP.lastIndex = 0
  for (let found = MARKUP.exec(line); found; found = MARKUP.exec(line)) {
    pieces++
    if (pieces * found.index > budget) return { cost: budget, at: found.index }
  }
  return { cost: pieces * line.length, at: line.length }
}

/** Where the containers of a line are too many, at its beginning or behind a tag, where Markdown begins anew. */
function containersEnd(source: string, { start, end }: Span): number | undefined {
  if (end - start <= CONTAINERS_MAX) return undefined
  for (let at = start; at < end; ) {
    const from = containersEndAt(source, at)
    if (from !== undefined) return from
    const tag = source.indexOf('%}', at)
    at = tag === -1 ? end : tag + 2
  }
  return undefined
}

function containersEndAt(source: string, start: number): number | undefined {
  let at = start
  for (let containers = 0; containers < CONTAINERS_MAX; containers++) {
    CONTAINER.lastIndex = at
    if (!CONTAINER.test(source)) return undefined
    at = CONTAINER.lastIndex
  }
  return at
}

// A mask is as long as what it hides, so that a few characters are not worth one.
const TAIL_CHARACTERS_MIN = 10

function cutAt(source: string, line: Span, cut: number | undefined, tails: Span[]): void {
  if (cut === undefined) return
  let start = cut
  let { end } = line
  while (start < end && /[\s\udc00-\udfff]/.test(source[start]!)) start++
  while (end > start && /\s/.test(source[end - 1]!)) end--
  if (end - start >= TAIL_CHARACTERS_MIN) tails.push({ start, end })
}
