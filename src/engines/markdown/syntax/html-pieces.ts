// What stands in the raw HTML of a page: the parser gives it as nodes of text, here they become tags, elements, text and
// Markdown again.
import type * as Mdast from 'mdast'
import type { Position } from './ast.ts'
import { type CommonMarkNode, decodeReferences, readCommonMark } from './commonmark.ts'
import { type HtmlToken, scanHtml } from './html-scanner.ts'
import { MASK, type Masked, maskNumber } from './masking.ts'
import type { Piece } from './pairing.ts'
import { parseTag } from './tag-text.ts'

export type Reading = {
  readonly source: string
  readonly masked: Masked
  readonly definitions: ReadonlyMap<string, Mdast.Definition>
  /** Where an offset of the text that was parsed stands in the source. */
  readonly at: (offset: number) => number
}

/** Makes pieces of blocks of Markdown that stood inside a block of HTML. */
export type ReadMarkdown = (nodes: readonly CommonMarkNode[], reading: Reading) => Piece[]

export function positionOf(node: CommonMarkNode, reading: Reading): Position {
  const position = node.position!
  return { start: reading.at(position.start.offset!), end: reading.at(position.end.offset!) }
}

/** The pieces of one node of raw HTML, which in a line is one tag and as a block may be many lines of anything. */
export function htmlPieces(
  node: Mdast.Html,
  reading: Reading,
  inLine: boolean,
  readMarkdown: ReadMarkdown,
): Piece[] {
  const { masked } = reading
  const value = node.value
  const at = sourceOffsets(value, positionOf(node, reading), masked.text)
  const pieces: Piece[] = []
  const code = codeFinder(value)
  let from = 0
  while (from < value.length) {
    const start = from
    from = value.length
    for (const token of scanHtml(value, start)) {
      const position = { start: at(token.start), end: at(token.end) }
      const written = value.slice(token.start, token.end)
      if (token.type === 'open' || token.type === 'close') code.pass(token)
      if (token.type === 'text')
        pieces.push({ type: 'text', value: decodeReferences(masked.unmask(written)), position })
      else if (token.type === 'open')
        pieces.push({
          type: 'open',
          name: token.name,
          attributes: token.attributes.map(a => [a.name, decodeReferences(masked.unmask(a.value))]),
          ranges: token.attributes.map(a => [a.name, { start: at(a.start), end: at(a.end) }]),
          isSelfClosing: token.isSelfClosing,
          source: masked.unmask(written),
          position,
        })
      else if (token.type === 'close')
        pieces.push({ type: 'close', name: token.name, source: masked.unmask(written), position })
      else if (token.type === 'declaration' && code.isInside())
        pieces.push({ type: 'text', value: masked.unmask(written), position })
      else if (token.type === 'declaration' && masked.tags.length > 0 && isMask(written)) {
        pieces.push(tagPiece(written, masked))
        if (inLine) continue
        // What follows a tag in the same block of HTML is Markdown again, up to the next tag.
        const next = nextMask(value, token.end)
        pieces.push(...markdownPieces(value, token.end, next, at, reading, readMarkdown))
        from = next
        break
      } else {
        const html = {
          type: 'html',
          kind: token.type,
          name: '',
          value: masked.unmask(written),
          isInline: inLine,
          position,
        } as const
        pieces.push({ type: 'node', build: () => html })
      }
    }
  }
  return pieces
}

/** Follows the tags of a piece of HTML and knows whether they stand inside code that is closed again. */
function codeFinder(html: string) {
  let lower: string | undefined
  const lastEnd = new Map<string, number>()
  const lastEndOf = (name: string): number => {
    lower ??= html.replace(/[A-Z]+/g, letters => letters.toLowerCase())
    const end = lastEnd.get(name) ?? lower.lastIndexOf(`</${name}`)
    lastEnd.set(name, end)
    return end
  }
  let inside: string | undefined
  return {
    isInside: () => inside !== undefined,
    pass(token: Extract<HtmlToken, { type: 'open' | 'close' }>): void {
      if (token.type === 'close') inside = token.name === inside ? undefined : inside
      else if (inside === undefined && CODE.has(token.name))
        inside = lastEndOf(token.name) > token.start ? token.name : undefined
    },
  }
}

const isMask = (text: string): boolean => nextMask(text, 0) === 0

function nextMask(text: string, from: number): number {
  MASK.lastIndex = from
  return MASK.exec(text)?.index ?? text.length
}

function tagPiece(mask: string, masked: Masked): Piece {
  const found = masked.tags[maskNumber(mask.slice(2, -2))]!
  const position = { start: found.start, end: found.end }
  const tag = parseTag(found.text, found.start)
  if (tag) return { type: 'tag', tag, source: found.text, position }
  return textPiece(found.text, position)
}

function markdownPieces(
  value: string,
  from: number,
  to: number,
  at: (offset: number) => number,
  reading: Reading,
  readMarkdown: ReadMarkdown,
): Piece[] {
  let start = from
  while (start < to && /\s/.test(value[start]!)) start++
  if (start === to) return []
  const inner = { ...reading, at: (offset: number) => at(start + offset) }
  return readMarkdown(readCommonMark(value.slice(start, to)).children, inner)
}

/**
 * Where offsets of a node's value stand in the source. The parser takes the marks of quotes and the indentation of
 * lists off each line, so a line of the value is the end of a line of the source.
 */
function sourceOffsets(value: string, position: Position, text: string): (offset: number) => number {
  if (position.end - position.start === value.length) return offset => position.start + offset
  const written = lineEnds(text, position.start, position.end)
  const read = lineEnds(value, 0, value.length)
  let line = 0
  return offset => {
    // Asked mostly in rising order, so the line is near the last one.
    while (line > 0 && offset <= read[line - 1]!) line--
    while (line < read.length - 1 && offset > read[line]!) line++
    const end = written[Math.min(line, written.length - 1)]!
    return Math.max(position.start, Math.min(position.end, end - (read[line]! - offset)))
  }
}

function lineEnds(text: string, from: number, to: number): number[] {
  const ends: number[] = []
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) ends.push(at)
  ends.push(to)
  return ends
}

/**
 * The end tags that close a paragraph's last line (`… the end. {% endhint %}`) though nothing in it opened them. They
 * belong to the blocks around it.
 */
export function endTagsAtEnd(paragraph: Mdast.Paragraph, { masked }: Reading): Mdast.Html[] {
  const ends: Mdast.Html[] = []
  if (masked.tags.length === 0) return ends
  const tags = paragraph.children.flatMap(node => {
    const tag =
      node.type === 'html' && isMask(node.value)
        ? masked.tags[maskNumber(node.value.slice(2, -2))]
        : undefined
    const text = tag && parseTag(tag.text, tag.start)
    return text ? [{ node: node as Mdast.Html, ...text }] : []
  })
  const opened = new Set(tags.filter(tag => !tag.isEnd).map(tag => tag.name))
  for (let last = paragraph.children.length - 1; last >= 0; last--) {
    const tag = tags.pop()
    if (!tag?.isEnd || opened.has(tag.name) || tag.node !== paragraph.children[last]) break
    ends.unshift(tag.node)
  }
  return ends
}

// What stands in these is shown as it was written.
const CODE: ReadonlySet<string> = new Set(['code', 'pre', 'script', 'style', 'textarea'])

/** In a line, `<code>{% x %}</code>` is three nodes; what stands between the first and the last is no tag. */
export function tagsInCodeAsText(pieces: Piece[]): Piece[] {
  const lastClose = new Map<string, number>()
  for (const [index, piece] of pieces.entries()) if (piece.type === 'close') lastClose.set(piece.name, index)
  let code: string | undefined
  return pieces.map((piece, index) => {
    if (piece.type === 'close' && piece.name === code) code = undefined
    else if (
      piece.type === 'open' &&
      !code &&
      CODE.has(piece.name) &&
      index < (lastClose.get(piece.name) ?? 0)
    )
      code = piece.name
    else if (piece.type === 'tag' && code) return textPiece(piece.source, piece.position)
    return piece
  })
}

const textPiece = (value: string, position: Position): Piece => ({
  type: 'node',
  build: () => ({ type: 'text', value, position }),
})
