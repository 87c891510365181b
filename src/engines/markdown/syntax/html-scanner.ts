// Cuts a piece of HTML into tags, comments and text. It recognises exactly what CommonMark calls raw HTML, and it
// never looks at a character more than a bounded number of times, whatever is left open.

export type Attribute = {
  readonly name: string
  readonly value: string
  readonly start: number
  readonly end: number
}

export type HtmlToken =
  | { readonly type: 'text'; readonly start: number; readonly end: number }
  | {
      readonly type: 'open'
      readonly start: number
      readonly end: number
      readonly name: string
      readonly attributes: readonly Attribute[]
      /** `<br/>` */
      readonly isSelfClosing: boolean
    }
  | { readonly type: 'close'; readonly start: number; readonly end: number; readonly name: string }
  | { readonly type: 'comment' | 'declaration'; readonly start: number; readonly end: number }

// What stands in these is text up to their own end tag.
const RAW_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title', 'xmp'])

const OPEN = /<([A-Za-z][A-Za-z0-9-]*)/y
const CLOSE = /<\/([A-Za-z][A-Za-z0-9-]*)\s*>/y
const NAME = /\s+([A-Za-z_:][\w.:-]*)/y
const EQUALS = /\s*=\s*/y
const BARE = /[^\s"'=<>`]+/y
const END = /\s*(\/?)>/y

/** Tokens that cover `text` from `from` to its end without a gap. */
export function* scanHtml(text: string, from = 0): Generator<HtmlToken> {
  const find = finder(text)
  let textStart = from
  let at = from
  while (at < text.length) {
    const open = text.indexOf('<', at)
    if (open === -1) break
    const token = parseTag(text, open, find)
    if (!token) {
      at = open + 1
      continue
    }
    if (open > textStart) yield { type: 'text', start: textStart, end: open }
    yield token
    at = token.end
    textStart = at
    if (token.type === 'open' && RAW_TEXT.has(token.name) && !token.isSelfClosing) {
      const end = find.closeOf(token.name, at)
      if (end > at) yield { type: 'text', start: at, end }
      at = end
      textStart = at
    }
  }
  if (textStart < text.length) yield { type: 'text', start: textStart, end: text.length }
}

type Finder = ReturnType<typeof finder>

// Remembers from where on a thing is not to be found, so that 10,000 unclosed comments are one search, not 10,000.
function finder(text: string) {
  const absentFrom = new Map<string, number>()
  const search = (where: string, needle: string, from: number): number => {
    if (from >= (absentFrom.get(needle) ?? Number.POSITIVE_INFINITY)) return -1
    const at = where.indexOf(needle, from)
    if (at === -1) absentFrom.set(needle, from)
    return at
  }
  let lower: string | undefined
  return {
    indexOf: (needle: string, from: number): number => search(text, needle, from),
    /** Where the end tag of a raw text element begins, or the end of the text. */
    closeOf(name: string, from: number): number {
      lower ??= toLowerAscii(text)
      const at = search(lower, `</${name}`, from)
      return at === -1 ? text.length : at
    },
  }
}

// String.toLowerCase may change the length ('İ'), and with it every offset after it.
const toLowerAscii = (text: string): string => text.replace(/[A-Z]+/g, letters => letters.toLowerCase())

function parseTag(text: string, at: number, find: Finder): HtmlToken | undefined {
  const next = text[at + 1]
  if (next === '!' || next === '?') return readMarkup(text, at, find)
  if (next === '/') {
    const close = match(CLOSE, text, at)
    if (!close) return undefined
    return { type: 'close', start: at, end: CLOSE.lastIndex, name: close[1]!.toLowerCase() }
  }
  const open = match(OPEN, text, at)
  if (!open) return undefined
  const attributes: Attribute[] = []
  let end = OPEN.lastIndex
  for (let name = match(NAME, text, end); name; name = match(NAME, text, end)) {
    end = NAME.lastIndex
    const attribute = readValue(text, end, find)
    if (!attribute) return undefined
    attributes.push({
      name: name[1]!.toLowerCase(),
      value: text.slice(attribute.start, attribute.end),
      start: attribute.start,
      end: attribute.end,
    })
    end = attribute.next
  }
  const close = match(END, text, end)
  if (!close) return undefined
  return {
    type: 'open',
    start: at,
    end: END.lastIndex,
    name: open[1]!.toLowerCase(),
    attributes,
    isSelfClosing: close[1] === '/',
  }
}

type Value = { start: number; end: number; next: number }

function readValue(text: string, at: number, find: Finder): Value | undefined {
  if (!match(EQUALS, text, at)) return { start: at, end: at, next: at }
  const start = EQUALS.lastIndex
  const quote = text[start]
  if (quote === '"' || quote === "'") {
    const end = find.indexOf(quote, start + 1)
    return end === -1 ? undefined : { start: start + 1, end, next: end + 1 }
  }
  if (!match(BARE, text, start)) return undefined
  return { start, end: BARE.lastIndex, next: BARE.lastIndex }
}

function readMarkup(text: string, at: number, find: Finder): HtmlToken | undefined {
  for (const [open, close] of MARKUP) {
    if (!text.startsWith(open, at)) continue
    const end =
      open === '<!--' && text.startsWith('>', at + 4) ? at + 4 : find.indexOf(close, at + open.length)
    if (end === -1) return undefined
    const length = text.startsWith(close, end) ? close.length : 1
    return { type: open === '<!--' ? 'comment' : 'declaration', start: at, end: end + length }
  }
  return undefined
}

const MARKUP = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
