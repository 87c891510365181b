// What a page points to: links, pictures, includes, files, cards, specifications. Each with the exact place of its
// destination in the source, for link checks, backlinks, and for rewriting a destination without touching another byte.
import {
  childrenOf,
  type Definition,
  definitionDestination,
  destinationOf,
  type Element,
  frontmatterRange,
  type Image,
  type Link,
  type Node,
  type Position,
  parseFrontmatter,
  parseMarkdown,
  plainLine,
  type Root,
  type Tag,
} from '../syntax/syntax.ts'
import { blocks } from './blocks.ts'
import { pageMetadata } from './page-metadata.ts'

export type ReferenceKind =
  | 'link'
  | 'mention'
  | 'image'
  | 'cover'
  | 'embed'
  | 'file'
  | 'include'
  | 'content-ref'
  | 'openapi'
  /** The name of a specification, not a path: `{% openapi-operation spec="petstore" %}`. */
  | 'openapi-spec'
  /** A `[label]: destination` that nothing uses. */
  | 'definition'

export type MarkdownReference = {
  readonly kind: ReferenceKind
  /** As it is meant: escapes, entities and brackets undone. */
  readonly destination: string
  /** The words that are linked, or the text instead of a picture; may be empty. */
  readonly text: string
  /**
   * Where the destination stands, without quotes or angle brackets. Links that share a definition share its range. Where
   * the place cannot be told, both are the start of the link and `isExact` is false.
   */
  readonly start: number
  readonly end: number
  readonly isExact: boolean
  /** How a new destination has to be written there. */
  readonly syntax: 'markdown' | 'html' | 'tag' | 'yaml'
  /** Where the block begins that it stands in (see blocks.ts). */
  readonly blockStart: number
}

/** Everything a page points to, in the order of the page; a cover comes first. Empty destinations are left out. */
export const references = (source: string, root: Root = parseMarkdown(source)): MarkdownReference[] =>
  placedReferences(source, root).map(one => one.reference)

/** The same with the node of each, which is what goes when a reference is taken out; a cover has none. */
export function placedReferences(
  source: string,
  root: Root,
): { reference: MarkdownReference; node?: Node }[] {
  const found = new Finder(source, root)
  found.covers()
  found.visit(root, undefined)
  found.unusedDefinitions()
  const starts = blocks(source, root).map(block => block.start)
  let block = 0
  return found.references.map(({ node, ...reference }) => {
    const at = node?.position.start ?? 0
    while (block > 0 && starts[block]! > at) block--
    while (block < starts.length - 1 && starts[block + 1]! <= at) block++
    return { reference: { ...reference, blockStart: starts[block] ?? 0 }, ...(node && { node }) }
  })
}

/** The same where each is one: a card and the link in it that repeats its destination are one reference. */
export function distinctReferences(source: string, root: Root = parseMarkdown(source)): MarkdownReference[] {
  let card: { readonly end: number; readonly destination: string } | undefined
  return placedReferences(source, root).flatMap(({ reference, node }) => {
    const { destination } = reference
    if (node?.type === 'tag' && REPEATING.has(node.name)) card = { end: node.position.end, destination }
    else if (node && card && node.position.start < card.end && destination === card.destination) return []
    return [reference]
  })
}

type Found = Omit<MarkdownReference, 'blockStart'> & { readonly node: Node | undefined }

// Which attribute of an element holds an address, and what it is.
const ELEMENTS: ReadonlyMap<string, readonly (readonly [string, ReferenceKind])[]> = new Map([
  ['a', [['href', 'link']]],
  ['img', [['src', 'image']]],
  [
    'source',
    [
      ['srcset', 'image'],
      ['src', 'file'],
    ],
  ],
  ['iframe', [['src', 'embed']]],
  [
    'video',
    [
      ['src', 'file'],
      ['poster', 'image'],
    ],
  ],
  ['audio', [['src', 'file']]],
])

const TAGS: ReadonlyMap<string, readonly (readonly [string, ReferenceKind])[]> = new Map([
  ['content-ref', [['url', 'content-ref']]],
  ['page-ref', [['page', 'content-ref']]],
  ['embed', [['url', 'embed']]],
  ['file', [['src', 'file']]],
  [
    'include',
    [
      ['url', 'include'],
      ['src', 'include'],
    ],
  ],
  [
    'openapi',
    [
      ['src', 'openapi'],
      ['spec', 'openapi-spec'],
    ],
  ],
  [
    'openapi-operation',
    [
      ['src', 'openapi'],
      ['spec', 'openapi-spec'],
    ],
  ],
  [
    'openapi-schemas',
    [
      ['src', 'openapi'],
      ['spec', 'openapi-spec'],
    ],
  ],
  [
    'openapi-webhook',
    [
      ['src', 'openapi'],
      ['spec', 'openapi-spec'],
    ],
  ],
  ['swagger', [['src', 'openapi']]],
])

/** Tags that repeat their destination as a link between them, for readers of the plain Markdown. */
const REPEATING: ReadonlyMap<string, ReferenceKind> = new Map([
  ['content-ref', 'content-ref'],
  ['page-ref', 'content-ref'],
  ['openapi', 'openapi'],
])

class Finder {
  readonly references: Found[] = []
  readonly #source: string
  readonly #definitions = new Map<string, Definition>()
  readonly #used = new Set<string>()

  constructor(source: string, root: Root) {
    this.#source = source
    const collect = (node: Node) => {
      if (node.type === 'definition' && !this.#definitions.has(node.identifier))
        this.#definitions.set(node.identifier, node)
      for (const child of childrenOf(node)) collect(child)
    }
    collect(root)
  }

  covers(): void {
    const { metadata } = pageMetadata(parseFrontmatter(this.#source).data)
    for (const key of ['cover', 'coverDark'] as const) {
      const destination = metadata[key]
      if (destination)
        this.#add('cover', destination, '', frontmatterRange(this.#source, key), 'yaml', undefined)
    }
  }

  /** `kind` is what links are here: in a `{% content-ref %}`, in a column of covers. */
  visit(node: Node, kind: ReferenceKind | undefined): void {
    if (node.type === 'link' || node.type === 'image') this.#markdownLink(node, kind)
    else if (node.type === 'tag') this.#tag(node)
    else if (node.type === 'element') this.#element(node, kind)
    const inside = node.type === 'tag' ? REPEATING.get(node.name) : kind
    if (node.type === 'element' && node.name === 'table') this.#table(node)
    else for (const child of childrenOf(node)) this.visit(child, inside)
  }

  unusedDefinitions(): void {
    for (const [identifier, node] of this.#definitions) {
      if (this.#used.has(identifier)) continue
      const range = definitionDestination(this.#source, node)
      this.#add('definition', node.url, node.label, range, 'markdown', node)
    }
  }

  #markdownLink(node: Link | Image, kind: ReferenceKind | undefined): void {
    const definition = node.reference === null ? undefined : this.#definitions.get(node.reference)
    if (node.reference !== null) this.#used.add(node.reference)
    const range = definition
      ? definitionDestination(this.#source, definition)
      : node.reference === null
        ? destinationOf(this.#source, node)
        : undefined
    const what = node.type === 'image' ? 'image' : (kind ?? 'link')
    this.#add(what, node.url, plainLine([node]), range, 'markdown', node)
  }

  #tag(node: Tag): void {
    for (const [name, kind] of TAGS.get(node.name) ?? [['url', 'embed'] as const]) {
      const value = node.attributes[name]
      if (typeof value === 'string' && (TAGS.has(node.name) || node.name.startsWith('@')))
        this.#add(kind, value, plainLine(node.children), node.ranges[name], 'tag', node)
    }
    if (node.name !== 'include') return
    // `{% include "path" %}`: the destination is no attribute but the argument.
    const range = quotedArgument(this.#source, node)
    if (range) this.#add('include', this.#source.slice(range.start, range.end), '', range, 'tag', node)
  }

  #element(node: Element, kind: ReferenceKind | undefined): void {
    if (node.attributes['data-footnote-ref'] !== undefined) return
    for (const [name, usual] of ELEMENTS.get(node.name) ?? []) {
      const value = node.attributes[name]
      if (value === undefined) continue
      const text = node.name === 'img' ? (node.attributes.alt ?? '') : plainLine(node.children)
      const linkKind = node.attributes['data-mention'] === undefined ? kind : 'mention'
      this.#add(usual === 'link' ? (linkKind ?? 'link') : usual, value, text, node.ranges[name], 'html', node)
    }
  }

  /** The columns of a table of cards say in their head what their links are. */
  #table(table: Element): void {
    const rows = rowsOf(table)
    const kinds = (rows[0] ?? []).map(cell => columnKind(cell))
    const visited = new Set<Node>()
    for (const row of rows)
      for (const [column, cell] of row.entries()) {
        visited.add(cell)
        for (const child of childrenOf(cell)) this.visit(child, kinds[column])
      }
    const rest = (node: Node) => {
      for (const child of childrenOf(node)) {
        if (visited.has(child)) continue
        if (child.type === 'element' && TABLE_PARTS.has(child.name)) rest(child)
        else this.visit(child, undefined)
      }
    }
    rest(table)
  }

  #add(
    kind: ReferenceKind,
    destination: string,
    text: string,
    range: Position | undefined,
    syntax: MarkdownReference['syntax'],
    node: Node | undefined,
  ): void {
    if (destination.trim() === '') return
    const at = node?.position.start ?? 0
    this.references.push({
      kind,
      destination,
      text,
      start: range?.start ?? at,
      end: range?.end ?? at,
      isExact: range !== undefined,
      syntax,
      node,
    })
  }
}

function quotedArgument(source: string, { position, attributes }: Tag): Position | undefined {
  if (attributes.url !== undefined || attributes.src !== undefined) return undefined
  const found = /["“]([^"“”]*)["”]/.exec(source.slice(position.start, position.end))
  if (!found) return undefined
  const start = position.start + found.index + 1
  return { start, end: start + found[1]!.length }
}

const TABLE_PARTS: ReadonlySet<string> = new Set(['thead', 'tbody', 'tfoot', 'tr'])

/** The cells of a table of HTML row by row, not those of tables inside it. */
function rowsOf(table: Element): Element[][] {
  const rows: Element[][] = []
  const visit = (node: Element) => {
    for (const child of node.children) {
      if (child.type !== 'element') continue
      if (child.name === 'tr')
        rows.push(
          child.children.filter(
            cell => cell.type === 'element' && (cell.name === 'td' || cell.name === 'th'),
          ) as Element[],
        )
      else if (TABLE_PARTS.has(child.name)) visit(child)
    }
  }
  visit(table)
  return rows
}

function columnKind({ attributes }: Element): ReferenceKind | undefined {
  if (attributes['data-card-cover'] !== undefined || attributes['data-card-cover-dark'] !== undefined)
    return 'image'
  if (attributes['data-card-target'] !== undefined || attributes['data-type'] === 'content-ref')
    return 'content-ref'
  if (attributes['data-type'] === 'image') return 'image'
  if (attributes['data-type'] === 'files') return 'file'
  return undefined
}
