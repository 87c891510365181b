// Reads GitBook Markdown into the tree of ast.ts: mask the tags, let the CommonMark parser read, then give each list
// of siblings its structure back. Reading never fails, and nothing here is slower than linear.
import type * as Mdast from 'mdast'
import {
  type Block,
  type Heading,
  type Inline,
  type ListItem,
  type Node,
  type Paragraph,
  type Position,
  type Root,
  type TableCell,
  type TableRow,
  type Text,
  toBlocks,
} from './ast.ts'
import { type CommonMarkNode, decodeReferences, readCommonMark } from './commonmark.ts'
import { type HtmlToken, scanHtml } from './html-scanner.ts'
import { MASK, type Masked, maskNumber, maskTags } from './masking.ts'
import { type Piece, pair } from './pairing.ts'
import { readTag } from './tags.ts'

// Nobody nests this deep by hand, and a renderer that recurses a few calls a level is safe with it.
const DEPTH_MAX = 90

/**
 * Reads any string; never throws. No node stands deeper than 100 levels: what is nested further becomes the text it
 * was written as.
 */
export function parseMarkdown(source: string): Root {
  const masked = maskTags(source)
  // A byte order mark is no part of the text.
  const bom = source.startsWith('\ufeff') ? 1 : 0
  const tree = readCommonMark(bom ? masked.text.slice(bom) : masked.text)
  const reading = { source, masked, definitions: definitionsOf(tree), at: (offset: number) => offset + bom }
  return {
    type: 'root',
    children: blocksOf(tree.children, reading, 1),
    position: { start: 0, end: source.length },
  }
}

type Reading = {
  readonly source: string
  readonly masked: Masked
  readonly definitions: ReadonlyMap<string, Mdast.Definition>
  /** Where an offset of the text that was parsed stands in the source. */
  readonly at: (offset: number) => number
}

/** The first definition of each identifier, wherever it stands. */
function definitionsOf(tree: Mdast.Root): Map<string, Mdast.Definition> {
  const definitions = new Map<string, Mdast.Definition>()
  const waiting: Mdast.Nodes[] = [tree]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'definition') {
      if (!definitions.has(node.identifier)) definitions.set(node.identifier, node)
    } else if ('children' in node) {
      for (let index = node.children.length - 1; index >= 0; index--) waiting.push(node.children[index]!)
    }
  }
  return definitions
}

function positionOf(node: CommonMarkNode, reading: Reading): Position {
  const position = node.position!
  return { start: reading.at(position.start.offset!), end: reading.at(position.end.offset!) }
}

const blocksOf = (nodes: readonly CommonMarkNode[], reading: Reading, depth: number): Block[] =>
  toBlocks(pair(piecesOf(nodes, reading, false), false, depth, DEPTH_MAX))

const inlinesOf = (nodes: readonly CommonMarkNode[], reading: Reading, depth: number): Inline[] =>
  pair(piecesOf(nodes, reading, true), true, depth, DEPTH_MAX) as Inline[]

function piecesOf(nodes: readonly CommonMarkNode[], reading: Reading, inLine: boolean): Piece[] {
  const pieces: Piece[] = []
  const add = (node: CommonMarkNode) => {
    if (node.type !== 'html')
      pieces.push({ type: 'node', build: (depth: number) => nodeOf(node, reading, depth) })
    else for (const piece of htmlPieces(node, reading, inLine)) pieces.push(piece)
  }
  for (const node of nodes) {
    if (!inLine) pieces.push({ type: 'boundary' })
    const ends = inLine || node.type !== 'paragraph' ? [] : endTagsAtEnd(node, reading)
    if (ends.length > 0 && node.type === 'paragraph') {
      const children = node.children.slice(0, -ends.length)
      if (children.length > 0) add({ ...node, children, position: spanOf(children) })
      for (const end of ends) add(end)
    } else add(node)
  }
  return inLine ? tagsInCodeAsText(pieces) : pieces
}

const spanOf = (nodes: readonly Mdast.Nodes[]): NonNullable<Mdast.Nodes['position']> => ({
  start: nodes[0]!.position!.start,
  end: nodes.at(-1)!.position!.end,
})

/**
 * The end tags that close a paragraph's last line (`… the end. {% endhint %}`) though nothing in it opened them. They
 * belong to the blocks around it.
 */
function endTagsAtEnd(paragraph: Mdast.Paragraph, { masked }: Reading): Mdast.Html[] {
  const ends: Mdast.Html[] = []
  if (masked.tags.length === 0) return ends
  const tags = paragraph.children.flatMap(node => {
    const tag =
      node.type === 'html' && isMask(node.value)
        ? masked.tags[maskNumber(node.value.slice(2, -2))]
        : undefined
    const text = tag && readTag(tag.text, tag.start)
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
function tagsInCodeAsText(pieces: Piece[]): Piece[] {
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

/** The pieces of one node of raw HTML, which in a line is one tag and as a block may be many lines of anything. */
function htmlPieces(node: Mdast.Html, reading: Reading, inLine: boolean): Piece[] {
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
        pieces.push(...markdownPieces(value, token.end, next, at, reading))
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
  const tag = readTag(found.text, found.start)
  if (tag) return { type: 'tag', tag, source: found.text, position }
  return textPiece(found.text, position)
}

function markdownPieces(
  value: string,
  from: number,
  to: number,
  at: (offset: number) => number,
  reading: Reading,
): Piece[] {
  let start = from
  while (start < to && /\s/.test(value[start]!)) start++
  if (start === to) return []
  const inner = { ...reading, at: (offset: number) => at(start + offset) }
  return piecesOf(readCommonMark(value.slice(start, to)).children, inner, false)
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

const isList = (node: CommonMarkNode): boolean =>
  node.type === 'listItem' || node.type === 'tableRow' || node.type === 'tableCell'

function nodeOf(node: CommonMarkNode, reading: Reading, depth: number): Node {
  const { unmask } = reading.masked
  const position = positionOf(node, reading)
  if (depth >= DEPTH_MAX && 'children' in node && !isList(node)) return flattened(node, position, reading)
  switch (node.type) {
    case 'paragraph':
      return paragraphOf(inlinesOf(node.children, reading, depth + 1), position)
    case 'heading':
      return {
        type: 'heading',
        depth: node.depth as Heading['depth'],
        children: inlinesOf(node.children, reading, depth + 1),
        position,
      }
    case 'blockquote':
      return { type: 'blockquote', children: blocksOf(node.children, reading, depth + 1), position }
    case 'list':
      return {
        type: 'list',
        ordered: node.ordered === true,
        start: node.ordered ? (node.start ?? 1) : null,
        spread: node.spread === true,
        children: node.children.map(item => nodeOf(item, reading, depth + 1) as ListItem),
        position,
      }
    case 'listItem':
      return {
        type: 'listItem',
        checked: node.checked ?? null,
        spread: node.spread === true,
        children: blocksOf(node.children, reading, depth + 1),
        position,
      }
    case 'table':
      return {
        type: 'table',
        align: (node.align ?? []).map(align => align ?? null),
        children: node.children.map(row => nodeOf(row, reading, depth + 1) as TableRow),
        position,
      }
    case 'tableRow':
      return {
        type: 'tableRow',
        children: node.children.map(cell => nodeOf(cell, reading, depth + 1) as TableCell),
        position,
      }
    case 'tableCell':
    case 'emphasis':
    case 'strong':
    case 'delete':
      return { type: node.type, children: inlinesOf(node.children, reading, depth + 1), position }
    case 'code':
      return {
        type: 'code',
        lang: node.lang ? unmask(node.lang) : null,
        meta: node.meta ? unmask(node.meta) : null,
        value: unmask(node.value),
        position,
      }
    case 'math':
    case 'inlineMath':
    case 'inlineCode':
    case 'yaml':
    case 'text':
      return { type: node.type, value: unmask(node.value), position }
    case 'thematicBreak':
    case 'break':
      return { type: node.type, position }
    case 'definition':
      return {
        type: 'definition',
        identifier: unmask(node.identifier),
        label: unmask(node.label ?? node.identifier),
        url: unmask(node.url),
        title: node.title ? unmask(node.title) : null,
        position,
      }
    case 'footnoteDefinition':
      return {
        type: 'footnoteDefinition',
        identifier: unmask(node.identifier),
        label: unmask(node.label ?? node.identifier),
        children: blocksOf(node.children, reading, depth + 1),
        position,
      }
    case 'footnoteReference':
      return {
        type: 'footnoteReference',
        identifier: unmask(node.identifier),
        label: unmask(node.label ?? node.identifier),
        position,
      }
    case 'link':
    case 'linkReference': {
      const target = targetOf(node, reading)
      return { type: 'link', ...target, children: inlinesOf(node.children, reading, depth + 1), position }
    }
    case 'image':
    case 'imageReference':
      return { type: 'image', ...targetOf(node, reading), alt: unmask(node.alt ?? ''), position }
    default:
      return flattened(node, position, reading)
  }
}

/** What a link or an image points to, in its own brackets or in the definition it names. */
function targetOf(
  node: Mdast.Link | Mdast.Image | Mdast.LinkReference | Mdast.ImageReference,
  { masked: { unmask }, definitions }: Reading,
): { url: string; title: string | null; reference: string | null } {
  if (node.type === 'link' || node.type === 'image')
    return { url: unmask(node.url), title: node.title ? unmask(node.title) : null, reference: null }
  const definition = definitions.get(node.identifier)
  return {
    url: unmask(definition?.url ?? ''),
    title: definition?.title ? unmask(definition.title) : null,
    reference: unmask(node.identifier),
  }
}

/** A formula alone in its paragraph is a block of its own, on one line as well as on three. */
function paragraphOf(children: readonly Inline[], position: Position): Block {
  const only = children.length === 1 ? children[0] : undefined
  if (only?.type === 'inlineMath') return { type: 'math', value: only.value, position }
  return { type: 'paragraph', children, position }
}

const BLOCK_PARENTS: ReadonlySet<string> = new Set([
  'paragraph',
  'heading',
  'blockquote',
  'list',
  'table',
  'footnoteDefinition',
])

/** A node that is not read any further, as the text it was written as. */
function flattened(node: CommonMarkNode, position: Position, { source }: Reading): Paragraph | Text {
  const text: Text = { type: 'text', value: source.slice(position.start, position.end), position }
  return BLOCK_PARENTS.has(node.type) ? { type: 'paragraph', children: [text], position } : text
}
