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
import { type CommonMarkNode, readCommonMark } from './commonmark.ts'
import {
  endTagsAtEnd,
  htmlPieces,
  positionOf,
  type Reading,
  type ReadMarkdown,
  tagsInCodeAsText,
} from './html-pieces.ts'
import { maskTags } from './masking.ts'
import { type Piece, pair } from './pairing.ts'

// Nobody nests this deep by hand, and a renderer that recurses a few calls a level is safe with it.
const DEPTH_MAX = 90

// More than twice the largest page we have seen. A tree takes some hundred times the memory of its text, so 10 MB of
// list items or table cells would hold the process for half a minute and a few gigabytes.
export const PARSED_CHARACTERS_MAX = 500_000

/**
 * Reads any string; never throws. No node stands deeper than 100 levels: what is nested further becomes the text it
 * was written as. What stands beyond PARSED_CHARACTERS_MAX becomes one block of code, so that it is shown and found,
 * and nothing of it is lost.
 */
export function parseMarkdown(source: string): Root {
  const end = parsedEnd(source)
  if (end === source.length) return parseWholeMarkdown(source)
  const { children } = parseWholeMarkdown(source.slice(0, end))
  const position = { start: end, end: source.length }
  const rest: Block = { type: 'code', lang: null, meta: null, value: source.slice(end), position }
  return { type: 'root', children: [...children, rest], position: { start: 0, end: source.length } }
}

/** The end of the last whole line within the bound; inside a line where that line alone is longer. */
function parsedEnd(source: string): number {
  if (source.length <= PARSED_CHARACTERS_MAX) return source.length
  const lineEnd = source.lastIndexOf('\n', PARSED_CHARACTERS_MAX - 1) + 1
  if (lineEnd > 0) return lineEnd
  const isPair = /[\udc00-\udfff]/.test(source[PARSED_CHARACTERS_MAX] ?? '')
  return isPair ? PARSED_CHARACTERS_MAX - 1 : PARSED_CHARACTERS_MAX
}

/** The same without the bound, for texts whose length the caller bounds: a table of contents has an entry a page. */
export function parseWholeMarkdown(source: string): Root {
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

const blocksOf = (nodes: readonly CommonMarkNode[], reading: Reading, depth: number): Block[] =>
  toBlocks(pair(piecesOf(nodes, reading, false), false, depth, DEPTH_MAX))

const inlinesOf = (nodes: readonly CommonMarkNode[], reading: Reading, depth: number): Inline[] =>
  pair(piecesOf(nodes, reading, true), true, depth, DEPTH_MAX) as Inline[]

function piecesOf(nodes: readonly CommonMarkNode[], reading: Reading, inLine: boolean): Piece[] {
  const pieces: Piece[] = []
  const add = (node: CommonMarkNode) => {
    if (node.type !== 'html')
      pieces.push({ type: 'node', build: (depth: number) => nodeOf(node, reading, depth) })
    else for (const piece of htmlPieces(node, reading, inLine, piecesOfBlocks)) pieces.push(piece)
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

const piecesOfBlocks: ReadMarkdown = (nodes, reading) => piecesOf(nodes, reading, false)

const spanOf = (nodes: readonly Mdast.Nodes[]): NonNullable<Mdast.Nodes['position']> => ({
  start: nodes[0]!.position!.start,
  end: nodes.at(-1)!.position!.end,
})

const isList = (node: CommonMarkNode): boolean =>
  node.type === 'listItem' || node.type === 'tableRow' || node.type === 'tableCell'

function nodeOf(node: CommonMarkNode, reading: Reading, depth: number): Node {
  const { unmask, unmaskDecoded } = reading.masked
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
        lang: node.lang ? unmaskDecoded(node.lang) : null,
        meta: node.meta ? unmaskDecoded(node.meta) : null,
        value: unmask(node.value),
        position,
      }
    case 'math':
    case 'inlineMath':
    case 'inlineCode':
    case 'yaml':
      return { type: node.type, value: unmask(node.value), position }
    case 'text':
      return { type: 'text', value: unmaskDecoded(node.value), position }
    case 'thematicBreak':
    case 'break':
      return { type: node.type, position }
    case 'definition':
      return {
        type: 'definition',
        identifier: unmask(node.identifier),
        label: unmaskDecoded(node.label ?? node.identifier),
        url: unmaskDecoded(node.url),
        title: node.title ? unmaskDecoded(node.title) : null,
        position,
      }
    case 'footnoteDefinition':
      return {
        type: 'footnoteDefinition',
        identifier: unmask(node.identifier),
        label: unmaskDecoded(node.label ?? node.identifier),
        children: blocksOf(node.children, reading, depth + 1),
        position,
      }
    case 'footnoteReference':
      return {
        type: 'footnoteReference',
        identifier: unmask(node.identifier),
        label: unmaskDecoded(node.label ?? node.identifier),
        position,
      }
    case 'link':
    case 'linkReference': {
      const inside = reading.source[position.start] === '[' ? reading : withoutReferences(reading)
      const target = targetOf(node, inside)
      return { type: 'link', ...target, children: inlinesOf(node.children, inside, depth + 1), position }
    }
    case 'image':
    case 'imageReference':
      return { type: 'image', ...targetOf(node, reading), alt: unmaskDecoded(node.alt ?? ''), position }
    default:
      return flattened(node, position, reading)
  }
}

/** What a link or an image points to, in its own brackets or in the definition it names. */
function targetOf(
  node: Mdast.Link | Mdast.Image | Mdast.LinkReference | Mdast.ImageReference,
  { masked: { unmask, unmaskDecoded }, definitions }: Reading,
): { url: string; title: string | null; reference: string | null } {
  if (node.type === 'link' || node.type === 'image')
    return {
      url: unmaskDecoded(node.url),
      title: node.title ? unmaskDecoded(node.title) : null,
      reference: null,
    }
  const definition = definitions.get(node.identifier)
  return {
    url: unmaskDecoded(definition?.url ?? ''),
    title: definition?.title ? unmaskDecoded(definition.title) : null,
    reference: unmask(node.identifier),
  }
}

/** An address that is in a line by itself (`<https://…>`, `www.…`) is read as it is written. */
const withoutReferences = (reading: Reading): Reading => ({
  ...reading,
  masked: { ...reading.masked, unmaskDecoded: reading.masked.unmask },
})

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
