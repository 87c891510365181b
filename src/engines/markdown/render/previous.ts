// The text that a document is written over, cut into the pieces that can be kept: its blocks, each with what it became
// in the document, and what is not part of a block (frontmatter, the title, comments, definitions).
import {
  type Block,
  type Conversion,
  type DocumentOptions,
  type Fragment,
  type PlacedDocument,
  placeDocument,
} from '../document/document.ts'
import { type BlockSpan, blocks } from '../page/page.ts'
import {
  footnoteOf,
  footnotesOf,
  isFootnoteElement,
  lineEndOf,
  linkDefinitionsOf,
  linkedFootnote,
  type Node,
  type Position,
  parseMarkdown,
  type Root,
  walk,
} from '../syntax/syntax.ts'
import { contentOf } from './matching.ts'
import { type Style, styleOf } from './styles.ts'
import { wordsIn } from './tokens.ts'

export type Piece = {
  /** Its place among the pieces. */
  readonly index: number
  /** Where it begins in the source. */
  readonly start: number
  /** Without the blank lines around it. */
  readonly text: string
  /** What it was parsed as, with places in the source. */
  readonly parsed: readonly Node[]
  /** The places in it where words are read. */
  readonly words: readonly Position[]
  /** The white space between it and the next. */
  readonly gap: string
  /** The blocks of the document that it became, from `first` on, and what each says. */
  readonly first: number
  readonly nodes: readonly Block[]
  readonly says: readonly string[]
  /** `head` is frontmatter and the page's title; only `blocks` became nodes. */
  readonly kind: 'blocks' | 'head' | 'comment' | 'footnote' | 'other'
  /** The footnotes that its words refer to, and the definitions of the links in it. */
  readonly refersTo: ReadonlySet<string>
  readonly links: ReadonlySet<string>
  /** The identifier of the footnote that it defines, if it is the first to do so. */
  readonly defines: string | undefined
}

/** A footnote that the text defines, with the body that its references carry. */
export type KnownFootnote = {
  readonly label: string
  readonly identifier: string
  readonly body: readonly Block[]
}

export type Previous = {
  readonly source: string
  readonly bom: string
  /** The blank lines that it begins with. */
  readonly lead: string
  readonly lineEnd: '\r\n' | '\n'
  readonly pieces: readonly Piece[]
  readonly nodes: readonly Block[]
  /** What each node says. */
  readonly says: readonly string[]
  /** How many nodes at the end are footnotes that nothing refers to. */
  readonly unusedFootnotes: number
  readonly footnotes: readonly KnownFootnote[]
  /** The definitions of links by their identifiers, as they are written. */
  readonly definitions: ReadonlyMap<string, string>
  /** The layout of the lists and tables that its nodes were made from. */
  readonly styles: ReadonlyMap<Block, Style>
  /** The cells of tables that slots were made from. */
  readonly cells: ReadonlyMap<Fragment, Node>
  /** The bullet of its first list. */
  readonly bullet: string | undefined
}

export function readPrevious(source: string, options: DocumentOptions): Previous {
  const root = parseMarkdown(source)
  const spans = options.spans ?? blocks(source, root)
  const placed = placeDocument(root, spans, options)
  const bom = source.startsWith('\ufeff') ? '\ufeff' : ''
  const says = placed.nodes.map(contentOf)
  return {
    source,
    bom,
    lead: root.children.length === 0 ? '' : (BLANK_LINES.exec(source.slice(bom.length))?.[0] ?? ''),
    lineEnd: lineEndOf(source),
    pieces: cut(source, bom.length, root, spans, placed, says),
    nodes: placed.nodes,
    says,
    unusedFootnotes: placed.unusedFootnotes,
    footnotes: placed.conversion
      .usedFootnotes()
      .map(({ definition: { label, identifier }, body }) => ({ label, identifier, body })),
    definitions: definitionsIn(root, source),
    styles: stylesOf(placed.conversion, source),
    cells: placed.conversion.cellOf,
    bullet: bulletOf(source, root),
  }
}

const BLANK_LINES = /^(?:[ \t]*(?:\r\n|\n|\r))+/

function cut(
  source: string,
  from: number,
  root: Root,
  spans: readonly BlockSpan[],
  { nodes, starts, unusedFootnotes, title }: PlacedDocument,
  says: readonly string[],
): Piece[] {
  const flowing = nodes.length - unusedFootnotes
  const defined = new Set<string>()
  let node = 0
  let child = 0
  return spans.map((span, index) => {
    const first = node
    while (node < flowing && (starts[node] ?? 0) < span.end) node++
    const firstChild = child
    while ((root.children[child]?.position.start ?? span.end) < span.end) child++
    const inside = root.children.slice(firstChild, child)
    const text = source.slice(Math.max(from, span.start), span.end).replace(BLANK_LINES, '')
    const start = span.end - text.length
    const end = text.trimEnd().length
    const kind = node > first ? 'blocks' : kindOf(inside, title)
    const [only] = inside
    const identifier =
      kind === 'footnote' && only?.type === 'footnoteDefinition' ? only.identifier : undefined
    const defines = identifier === undefined || defined.has(identifier) ? undefined : identifier
    if (defines !== undefined) defined.add(defines)
    return {
      index,
      start,
      text: text.slice(0, end),
      parsed: inside,
      words: wordsIn(inside, source, start),
      gap: text.slice(end),
      first,
      nodes: nodes.slice(first, node),
      says: says.slice(first, node),
      kind,
      ...referencesIn(inside),
      defines,
    }
  })
}

function kindOf(nodes: readonly Node[], title: Node | undefined): Piece['kind'] {
  const [only] = nodes
  if (nodes.some(node => node === title || node.type === 'yaml')) return 'head'
  if (nodes.length === 1 && only?.type === 'footnoteDefinition') return 'footnote'
  const isComment = nodes.length > 0 && nodes.every(node => node.type === 'html' && node.kind === 'comment')
  return isComment ? 'comment' : 'other'
}

function stylesOf({ madeOf }: Conversion, source: string): Map<Block, Style> {
  const styles = [...madeOf].flatMap(([block, node]): [Block, Style][] => {
    const style = styleOf(block, node, source)
    return style === undefined ? [] : [[block, style]]
  })
  return new Map(styles)
}

function bulletOf(source: string, root: Root): string | undefined {
  const list = root.children.find(node => node.type === 'list' && !node.ordered)
  const sign = list && source[list.position.start]
  return sign !== undefined && '*-+'.includes(sign) ? sign : undefined
}

/** The footnotes and the definitions of links that nodes refer to. */
export function referencesIn(nodes: readonly Node[]): Pick<Piece, 'refersTo' | 'links'> {
  const refersTo = new Set<string>()
  const links = new Set<string>()
  const visit = (node: Node): void => {
    const linked = node.type === 'link' ? linkedFootnote(node.url) : undefined
    if (node.type === 'footnoteReference') refersTo.add(node.identifier)
    else if (linked !== undefined) refersTo.add(linked)
    else if (isFootnoteElement(node)) refersTo.add(footnoteOf(node))
    if ((node.type === 'link' || node.type === 'image') && node.reference !== null) links.add(node.reference)
  }
  for (const node of nodes) walk(node, visit)
  return { refersTo, links }
}

/** The identifiers of the footnotes that a text defines, wherever in it. */
export const footnotesDefinedIn = (text: string): ReadonlySet<string> =>
  new Set(text.includes(']:') ? footnotesOf(parseMarkdown(text)).map(one => one.identifier) : [])

/** The definitions of links by their identifiers, as they are written. */
const definitionsIn = (root: Root, source: string): Map<string, string> =>
  new Map(
    [...linkDefinitionsOf(root)].map(([identifier, { position }]) => [
      identifier,
      source.slice(position.start, position.end),
    ]),
  )
