// Cuts a piece of HTML into tags, comments and text. It recognises exactly what CommonMark calls raw HTML, and reads
// each character a bounded number of times, whatever is left open.
import type { Position } from './ast.ts'
import { matchAt } from './sticky.ts'

/** `start` and `end` are those of the value. */
type Attribute = Position & { readonly name: string; readonly value: string }

export type HtmlToken = Position &
  (
    | { readonly type: 'text' | 'comment' | 'declaration' }
    | {
        readonly type: 'open'
        readonly name: string
        readonly attributes: readonly Attribute[]
        /** `<br/>` */
        readonly isSelfClosing: boolean
      }
    | { readonly type: 'close'; readonly name: string }
  )

// The content of these is text up to their own end tag.
const RAW_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title', 'xmp'])

const OPEN = /<([A-Za-z][A-Za-z0-9-]*)/y
const CLOSE = /<\/([A-Za-z][A-Za-z0-9-]*)\s*>/y
/** A name with the quote that opens its value, or a bare value. */
const ATTRIBUTE = /\s+([A-Za-z_:][\w.:-]*)(?:\s*=\s*(?:(["'])|([^\s"'=<>`]+)))?/y
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

// Remembers where a search found nothing more, so that 10,000 unclosed comments take one search, not 10,000.
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
    /** The beginning of the end tag of a raw text element, or the end of the text. */
    closeOf(name: string, from: number): number {
      lower ??= toLowerAscii(text)
      const at = search(lower, `</${name}`, from)
      return at === -1 ? text.length : at
    },
  }
}

// String.toLowerCase may change the length ('İ'), and with it every offset after it.
export const toLowerAscii = (text: string): string =>
  text.replace(/[A-Z]+/g, letters => letters.toLowerCase())

function parseTag(text: string, start: number, find: Finder): HtmlToken | undefined {
  const next = text[start + 1]
  if (next === '!' || next === '?') return readMarkup(text, start, find)
  const [tag, name = ''] = matchAt(next === '/' ? CLOSE : OPEN, text, start) ?? []
  if (tag === undefined) return undefined
  if (next === '/') return { type: 'close', start, end: start + tag.length, name: name.toLowerCase() }
  const attributes: Attribute[] = []
  let at = start + tag.length
  for (let found = matchAt(ATTRIBUTE, text, at); found; found = matchAt(ATTRIBUTE, text, at)) {
    const [written, name = '', quote, bare = ''] = found
    const from = at + written.length
    const end = quote === undefined ? from : find.indexOf(quote, from)
    if (end === -1) return undefined
    const range = quote === undefined ? { start: end - bare.length, end } : { start: from, end }
    attributes.push({ name: name.toLowerCase(), value: text.slice(range.start, end), ...range })
    at = quote === undefined ? end : end + 1
  }
  const close = matchAt(END, text, at)
  if (!close) return undefined
  const isSelfClosing = close[1] === '/'
  return {
    type: 'open',
    start,
    end: at + close[0].length,
    name: name.toLowerCase(),
    attributes,
    isSelfClosing,
  }
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
