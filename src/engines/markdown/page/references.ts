// Everything a page refers to: links, pictures, includes, files, cards, specifications. Each has the exact range of its
// destination in the source, for link checks, backlinks, and rewriting a destination without touching another byte.

import { defined, keysOf } from '../../../base/objects.ts'
import { type BlockName, SCHEMAS, schemaOf } from '../blocks/schemas.ts'
import { type Column, readTable } from '../blocks/table/reading.ts'
import { blockOf, namesObject, readAnchor, type TagBlock } from '../reading/reading.ts'
import { type Attribute, plainName } from '../schema/schema.ts'
import {
  childrenOf,
  type Definition,
  definitionDestination,
  destinationOf,
  type Element,
  frontmatterRange,
  type Image,
  includedRange,
  isCell,
  isFootnoteElement,
  isNamed,
  type Link,
  linkDefinitionsOf,
  type Node,
  type Position,
  parseFrontmatter,
  parseMarkdown,
  plainLine,
  type Root,
} from '../syntax/syntax.ts'
import { pageMetadata } from './page-metadata.ts'
import { blockStarts } from './parts.ts'
import { lastStart } from './starts.ts'

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
  /** Without escapes, entities and brackets. */
  readonly destination: string
  /** The words of a link, or the alternative text of a picture; may be empty. */
  readonly text: string
  /**
   * The range of the destination, without quotes or angle brackets. Links that share a definition share its range. If
   * it cannot be found, both are the start of the link and `isExact` is false.
   */
  readonly start: number
  readonly end: number
  readonly isExact: boolean
  /** The syntax in which a new destination has to be written. */
  readonly syntax: 'markdown' | 'html' | 'tag' | 'yaml'
  /** The start of its block (see parts.ts). */
  readonly blockStart: number
}

/** The references of a page, in order; a cover comes first. Empty destinations are left out. */
export const references = (source: string, root: Root = parseMarkdown(source)): MarkdownReference[] =>
  placedReferences(source, root).map(one => one.reference)

/** The same with the node of each, which has to be removed with it; a cover has none. */
export function placedReferences(
  source: string,
  root: Root,
): { reference: MarkdownReference; node?: Node }[] {
  const finder = new Finder(source, root)
  finder.covers()
  finder.visit(root, undefined)
  finder.unusedDefinitions()
  const starts = blockStarts(source, root)
  return finder.found.map(({ node, ...reference }) => {
    const blockStart = starts[lastStart(starts, node?.position.start ?? 0)] ?? 0
    return defined({ reference: { ...reference, blockStart }, node })
  })
}

/** The same without repetitions: a card and the link in it that repeats its destination are one reference. */
export function distinctReferences(source: string, root: Root = parseMarkdown(source)): MarkdownReference[] {
  let card: { readonly end: number; readonly destination: string } | undefined
  return placedReferences(source, root).flatMap(({ reference, node }) => {
    const { destination } = reference
    if (node !== undefined && isRepeating(node)) card = { end: node.position.end, destination }
    else if (node && card && node.position.start < card.end && destination === card.destination) return []
    return [reference]
  })
}

function isRepeating(node: Node): boolean {
  const block = blockOf(node)
  return block !== undefined && repeatedKind(block) !== undefined
}

type LocatedReference = Omit<MarkdownReference, 'blockStart'> & { readonly node: Node | undefined }

/** For each name, the attributes that hold an address, and its kind. */
type Attributes = ReadonlyMap<string, { readonly [attribute: string]: ReferenceKind }>

const ELEMENTS: Attributes = new Map(
  Object.entries({
    a: { href: 'link' },
    button: { href: 'link' },
    img: { src: 'image' },
    source: { srcset: 'image', src: 'file' },
    iframe: { src: 'embed' },
    video: { src: 'file', poster: 'image' },
    audio: { src: 'file' },
  }),
)

/** By the name of a block, the attributes that hold what it refers to, in the form in which names are compared. */
const BLOCKS: ReadonlyMap<BlockName, ReadonlyMap<string, ReferenceKind>> = new Map(
  keysOf(SCHEMAS).map(name => [
    name,
    new Map(
      Object.entries<Attribute>(SCHEMAS[name].attributes).flatMap(([key, attribute]) =>
        attribute.kind === 'address' || attribute.kind === 'reference'
          ? (attribute.names ?? [key]).map(one => [plainName(one), attribute.to] as const)
          : [],
      ),
    ),
  ]),
)

/** The kind of the links in a block that repeats its address, unless it names an object instead. */
function repeatedKind(block: TagBlock): ReferenceKind | undefined {
  const { attributes, repeatsAddress } = schemaOf(block.name)
  if (repeatsAddress === undefined) return undefined
  const address = Object.values(attributes).find(({ kind }) => kind === 'address')
  return namesObject(block) || address?.kind !== 'address' ? undefined : address.to
}

class Finder {
  readonly found: LocatedReference[] = []
  readonly #source: string
  readonly #definitions: ReadonlyMap<string, Definition>
  readonly #used = new Set<string>()
  readonly #cellKinds = new Map<Node, ReferenceKind | undefined>()

  constructor(source: string, root: Root) {
    this.#source = source
    this.#definitions = linkDefinitionsOf(root)
  }

  covers(): void {
    const { metadata } = pageMetadata(parseFrontmatter(this.#source).data)
    for (const key of ['cover', 'coverDark'] as const)
      this.#add('cover', metadata[key], '', 'yaml', undefined, () => frontmatterRange(this.#source, key))
  }

  /** `kind` is the kind of links at this place: in a `{% content-ref %}`, in a column of covers. */
  visit(node: Node, kind: ReferenceKind | undefined): void {
    const block = blockOf(node)
    if (node.type === 'link' || node.type === 'image') this.#markdownLink(node, kind)
    else if (block !== undefined) this.#block(block)
    else if (node.type === 'element') this.#element(node, kind)
    if (isNamed(node, 'table')) this.#readColumns(node)
    else if (isCell(node)) kind = this.#cellKinds.get(node)
    this.#visitAll(node, block === undefined ? kind : repeatedKind(block))
  }

  #visitAll(parent: Node, kind: ReferenceKind | undefined): void {
    for (const child of childrenOf(parent)) this.visit(child, kind)
  }

  unusedDefinitions(): void {
    for (const [identifier, node] of this.#definitions)
      if (!this.#used.has(identifier))
        this.#add('definition', node.url, node.label, 'markdown', node, () =>
          definitionDestination(this.#source, node),
        )
  }

  #markdownLink(node: Link | Image, kind: ReferenceKind = 'link'): void {
    const { reference } = node
    const definition = reference === null ? undefined : this.#definitions.get(reference)
    if (reference !== null) this.#used.add(reference)
    this.#add(node.type === 'image' ? 'image' : kind, node.url, plainLine([node]), 'markdown', node, () => {
      if (definition) return definitionDestination(this.#source, definition)
      return reference === null ? destinationOf(this.#source, node) : undefined
    })
  }

  #block(block: TagBlock): void {
    const { name: blockName, tag, node } = block
    const syntax = node.type === 'tag' ? 'tag' : 'html'
    for (const [name, value] of Object.entries(tag.attributes)) {
      const kind = BLOCKS.get(blockName)?.get(plainName(name))
      if (kind !== undefined && typeof value === 'string')
        this.#add(kind, value, plainLine(tag.children), syntax, node, () => tag.ranges[name])
    }
    if (block.name === 'include')
      this.#add('include', block.data.path, '', syntax, node, () => includedRange(tag))
  }

  #element(node: Element, kind: ReferenceKind = 'link'): void {
    const { attributes, ranges } = node
    if (isFootnoteElement(node)) return
    const linkKind = node.name === 'a' && readAnchor(node).kind === 'mention' ? 'mention' : kind
    for (const [name, usual] of Object.entries(ELEMENTS.get(node.name) ?? {})) {
      const text = node.name === 'img' ? (attributes.alt ?? '') : plainLine(node.children)
      const what = usual === 'link' ? linkKind : usual
      this.#add(what, attributes[name], text, 'html', node, () => ranges[name])
    }
  }

  /** The head of a table has the kind of the links in each column. */
  #readColumns(element: Element): void {
    const { head = [], rows, columns } = readTable(element)
    const kinds = columns.map(columnKind)
    for (const row of [head, ...rows])
      for (const { node, column } of row) this.#cellKinds.set(node, kinds[column])
  }

  #add(
    kind: ReferenceKind,
    destination: string | undefined,
    text: string,
    syntax: MarkdownReference['syntax'],
    node: Node | undefined,
    rangeOf: () => Position | undefined,
  ): void {
    if (destination === undefined || destination.trim() === '') return
    const range = rangeOf()
    const { start, end } = range ?? { start: node?.position.start ?? 0, end: node?.position.start ?? 0 }
    this.found.push({ kind, destination, text, start, end, isExact: range !== undefined, syntax, node })
  }
}

function columnKind({ type, isCover, isDarkCover, isTarget }: Column): ReferenceKind | undefined {
  if (isCover || isDarkCover) return 'image'
  if (isTarget || type === 'content-ref') return 'content-ref'
  if (type === 'image') return 'image'
  return type === 'files' ? 'file' : undefined
}
