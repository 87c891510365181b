// Reads GitBook Markdown into the tree of ast.ts: mask the tags, let the CommonMark parser read, then give each list
// of siblings its structure back. Reading never fails, and nothing here is slower than linear.
import type * as Mdast from 'mdast'
import {
  type Block,
  type Content,
  type Inline,
  type LoneTag,
  type Paragraph,
  type Position,
  type Root,
  type Target,
  type Text,
  toBlocks,
} from './ast.ts'
import { type CommonMarkNode, readCommonMark } from './commonmark.ts'
import { headingLine } from './heading-line.ts'
import { endTagsAtEnd, htmlTokens, type ParseContext, positionOf, tagsInCodeAsText } from './html-tokens.ts'
import { maskTags } from './masking.ts'
import { pair, type Token } from './pairing.ts'

// Nobody nests this deep by hand, and a renderer that recurses a few calls per level is safe with it.
const DEPTH_MAX = 90

// More than twice the largest page we have seen. A tree takes some hundred times the memory of its text, so 10 MB of
// list items or table cells would hold the process for half a minute and a few gigabytes.
export const PARSED_CHARACTERS_MAX = 500_000

/**
 * Reads any string; never throws. No node is deeper than 100 levels: deeper ones become the text they were written as.
 * Text beyond PARSED_CHARACTERS_MAX becomes one block of code, so that it is shown and found and nothing is lost.
 */
export function parseMarkdown(source: string): Root {
  const end = parsedEnd(source)
  if (end === source.length) return parseWholeMarkdown(source)
  const { children, loneTags } = parseWholeMarkdown(source.slice(0, end))
  const position = { start: end, end: source.length }
  const rest: Block = { type: 'code', lang: null, meta: null, value: source.slice(end), position }
  return { type: 'root', children: [...children, rest], loneTags, position: { start: 0, end: source.length } }
}

/** The end of the last whole line within the bound; inside a line if that line alone exceeds it. */
function parsedEnd(source: string): number {
  if (source.length <= PARSED_CHARACTERS_MAX) return source.length
  const lineEnd = source.lastIndexOf('\n', PARSED_CHARACTERS_MAX - 1) + 1
  if (lineEnd > 0) return lineEnd
  const isPair = /[\udc00-\udfff]/.test(source[PARSED_CHARACTERS_MAX] ?? '')
  return isPair ? PARSED_CHARACTERS_MAX - 1 : PARSED_CHARACTERS_MAX
}

/** The same without the bound, for texts that the caller bounds: a table of contents has one entry per page. */
export function parseWholeMarkdown(source: string): Root {
  const masked = maskTags(source)
  // A byte order mark is not part of the text.
  const bom = source.startsWith('\ufeff') ? 1 : 0
  const tree = readCommonMark(masked.text.slice(bom))
  const loneTags: LoneTag[] = []
  const definitions = definitionsOf(tree)
  const context = { source, masked, definitions, at: (offset: number) => offset + bom, loneTags }
  return {
    type: 'root',
    children: blocksOf(tree.children, context, 1),
    loneTags,
    position: { start: 0, end: source.length },
  }
}

/** The first definition of each identifier, at any depth. */
function definitionsOf(tree: Mdast.Root): Map<string, Mdast.Definition> {
  const definitions = new Map<string, Mdast.Definition>()
  const waiting: Mdast.Nodes[] = [tree]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'definition') {
      if (!definitions.has(node.identifier)) definitions.set(node.identifier, node)
    } else if ('children' in node) for (const child of node.children.toReversed()) waiting.push(child)
  }
  return definitions
}

const blocksOf = (nodes: readonly CommonMarkNode[], context: ParseContext, depth: number): readonly Block[] =>
  toBlocks(pair(blockTokens(nodes, context), { ...placeIn(context, depth), inLine: false }))

const inlinesOf = (nodes: readonly CommonMarkNode[], context: ParseContext, depth: number): Inline[] =>
  // In a line, the parser produces only inlines, and from inlines `pair` builds only inlines.
  pair(tagsInCodeAsText(nodes.flatMap(node => tokensOf(node, context, true))), {
    ...placeIn(context, depth),
    inLine: true,
  }) as Inline[]

const placeIn = ({ loneTags }: ParseContext, depth: number) => ({ depth, depthMax: DEPTH_MAX, loneTags })

function blockTokens(nodes: readonly CommonMarkNode[], context: ParseContext): Token[] {
  return nodes.flatMap(node => {
    const ends = node.type === 'paragraph' ? endTagsAtEnd(node, context) : []
    if (node.type !== 'paragraph' || ends.length === 0) return [BOUNDARY, ...tokensOf(node, context, false)]
    const children = node.children.slice(0, -ends.length)
    const [first, last] = [children[0]?.position, children.at(-1)?.position]
    const rest = first && last ? [{ ...node, children, position: { start: first.start, end: last.end } }] : []
    return [BOUNDARY, ...[...rest, ...ends].flatMap(one => tokensOf(one, context, false))]
  })
}

const BOUNDARY: Token = { type: 'boundary' }

const tokensOf = (node: CommonMarkNode, context: ParseContext, inLine: boolean): Token[] =>
  node.type === 'html'
    ? htmlTokens(node, context, inLine, blockTokens)
    : [{ type: 'node', build: depth => nodeOf(node, context, depth) }]

function nodeOf(node: CommonMarkNode, context: ParseContext, depth: number): Content {
  const { unmask, unmaskDecoded } = context.masked
  const position = positionOf(node, context)
  if (depth >= DEPTH_MAX && 'children' in node) return flattened(node, position, context)
  const inside = depth + 1
  switch (node.type) {
    case 'paragraph':
      return paragraphOf(inlinesOf(node.children, context, inside), position)
    case 'heading':
      return {
        type: 'heading',
        depth: node.depth,
        ...headingLine(inlinesOf(node.children, context, inside), context.source),
        position,
      }
    case 'blockquote':
      return { type: 'blockquote', children: blocksOf(node.children, context, inside), position }
    case 'list':
      return {
        type: 'list',
        ordered: node.ordered === true,
        start: node.ordered ? (node.start ?? 1) : null,
        spread: node.spread === true,
        children: node.children.map(item => ({
          type: 'listItem',
          checked: item.checked ?? null,
          spread: item.spread === true,
          children: blocksOf(item.children, context, inside + 1),
          position: positionOf(item, context),
        })),
        position,
      }
    case 'table':
      return {
        type: 'table',
        align: (node.align ?? []).map(align => align ?? null),
        children: node.children.map(row => ({
          type: 'tableRow',
          children: row.children.map(cell => ({
            type: 'tableCell',
            children: inlinesOf(cell.children, context, inside + 2),
            position: positionOf(cell, context),
          })),
          position: positionOf(row, context),
        })),
        position,
      }
    case 'emphasis':
    case 'strong':
    case 'delete':
      return { type: node.type, children: inlinesOf(node.children, context, inside), position }
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
        ...{ type: 'definition', ...labelOf(node, context) },
        url: unmaskDecoded(node.url),
        title: node.title ? unmaskDecoded(node.title) : null,
        position,
      }
    case 'footnoteDefinition': {
      const children = blocksOf(node.children, context, inside)
      return { type: 'footnoteDefinition', ...labelOf(node, context), children, position }
    }
    case 'footnoteReference':
      return { type: 'footnoteReference', ...labelOf(node, context), position }
    case 'link':
    case 'linkReference': {
      const here = context.source[position.start] === '[' ? context : withoutReferences(context)
      const children = inlinesOf(node.children, here, inside)
      return { type: 'link', ...targetOf(node, here), children, position }
    }
    case 'image':
    case 'imageReference':
      return { type: 'image', ...targetOf(node, context), alt: unmaskDecoded(node.alt ?? ''), position }
    default:
      return flattened(node, position, context)
  }
}

const labelOf = ({ identifier, label }: Mdast.Association, { masked }: ParseContext) => ({
  identifier: masked.unmask(identifier),
  label: masked.unmaskDecoded(label ?? identifier),
})

/** The destination of a link or an image, in its own brackets or in the definition it names. */
function targetOf(
  node: Mdast.Link | Mdast.Image | Mdast.LinkReference | Mdast.ImageReference,
  { masked: { unmask, unmaskDecoded }, definitions }: ParseContext,
): Target {
  const isOwn = node.type === 'link' || node.type === 'image'
  const { url = '', title } = (isOwn ? node : definitions.get(node.identifier)) ?? {}
  return {
    url: unmaskDecoded(url),
    title: title ? unmaskDecoded(title) : null,
    reference: isOwn ? null : unmask(node.identifier),
  }
}

/** An address written as such (`<https://…>`, `www.…`) is taken literally. */
const withoutReferences = (context: ParseContext): ParseContext => ({
  ...context,
  masked: { ...context.masked, unmaskDecoded: context.masked.unmask },
})

/** A formula alone in its paragraph is a block of its own, on one line as well as on three. */
function paragraphOf(children: readonly Inline[], position: Position): Block {
  const [only, ...others] = children
  return only?.type === 'inlineMath' && others.length === 0
    ? { type: 'math', value: only.value, position }
    : { type: 'paragraph', children, position }
}

const BLOCK_PARENTS: ReadonlySet<string> = new Set(
  'paragraph heading blockquote list table footnoteDefinition'.split(' '),
)

/** A node whose children are not read, as the text it was written as. */
function flattened(node: CommonMarkNode, position: Position, { source }: ParseContext): Paragraph | Text {
  const text: Text = { type: 'text', value: source.slice(position.start, position.end), position }
  return BLOCK_PARENTS.has(node.type) ? { type: 'paragraph', children: [text], position } : text
}
