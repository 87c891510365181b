// What the parts of a conversion share: how references are resolved, footnotes, anchors, problems, and the bounds that
// keep a hostile page small.
import { defined } from '../../../base/objects.ts'
import type { BlockName } from '../blocks/schemas.ts'
import { toAnchor } from '../page/page.ts'
import type { TagBlock } from '../reading/reading.ts'
import type { FootnoteDefinition, Node, Position } from '../syntax/syntax.ts'
import { ALLOWED_CHILDREN } from './allowed-children.ts'
import type { Line } from './line.ts'
import { type Block, type Fragment, paragraph } from './model.ts'
import { areHeld, fitBlocks } from './schema-fitting.ts'
import type { Style } from './style.ts'
import type { MediaReference, Reference } from './values.ts'

/** What a destination is for: an image is looked up among files first, an include among fragments. */
export type Purpose = 'link' | 'image' | 'file' | 'include' | 'openapi'

/**
 * Finds what a destination leads to; undefined if nothing. Called with the destination as written, only decoded by
 * Markdown's rules.
 */
export type Resolve = (destination: string, purpose: Purpose) => Reference | undefined

/** Something in the source that the document cannot express as written. Its words are in the document. */
export type ConversionProblem = {
  readonly code: 'unresolved' | 'unfitting' | 'unknown_tag'
  readonly message: string
  readonly position: Position
}

const PROBLEMS_MAX = 100
/** A footnote that is referred to again is copied; all copies together stay under this many characters of JSON. */
const COPIES_LENGTH_MAX = 1_000_000

/** Turns a block that is written as a tag into blocks of the model. */
export type ReadBlock<N extends BlockName> = (block: TagBlock<N>, conversion: Conversion) => Block[]
export type BlockReaders = { readonly [N in BlockName]: ReadBlock<N> }

type Footnote = {
  readonly definition: FootnoteDefinition
  body?: readonly Block[]
  length: number
  isUsed: boolean
}

/** What a conversion depends on. */
type Means = {
  readonly resolve: Resolve
  /** The ids of the source's places, as search and the reader know them. */
  readonly places: ReadonlyMap<Node, string>
  readonly tags: BlockReaders
  readonly readBlocks: (nodes: readonly Node[], conversion: Conversion) => Block[]
  readonly writeNodes: (nodes: readonly Node[], line: Line, style: Style, conversion: Conversion) => void
}

export class Conversion {
  readonly problems: ConversionProblem[] = []
  /** The lists and tables of the source that blocks were made from. */
  readonly madeOf = new Map<Block, Node>()
  /** The cells of tables that slots were made from. */
  readonly cellOf = new Map<Fragment, Node>()
  readonly #defined: Footnote[] = []
  readonly #footnotes = new Map<string, Footnote>()
  readonly #means: Means
  readonly #anchors: Set<string>
  readonly #uses = new Map<string, number>()
  #isInFootnote = false
  #copied = 0

  constructor(means: Means) {
    this.#means = means
    this.#anchors = new Set(means.places.values())
  }

  /** The children of a node as blocks, one level deeper than the node. */
  blocks(nodes: readonly Node[]): Block[] {
    return this.#means.readBlocks(nodes, this)
  }

  read(block: TagBlock): Block[] {
    // The reader of a name takes the block of that name.
    return (this.#means.tags[block.name] as ReadBlock<BlockName>)(block, this)
  }

  /** Writes nodes to a line in a style. */
  write(nodes: readonly Node[], line: Line, style: Style): void {
    this.#means.writeNodes(nodes, line, style, this)
  }

  /** Remembers the node that blocks were made from, except for blocks that have one: it is deeper. */
  remember(node: Node, made: Block[]): Block[] {
    for (const one of made) if (!this.madeOf.has(one)) this.madeOf.set(one, node)
    return made
  }

  /** Remembers a footnote; references mean the first of a name, as in Markdown. */
  define(definition: FootnoteDefinition): void {
    const footnote: Footnote = { definition, length: 0, isUsed: false }
    this.#defined.push(footnote)
    if (!this.#footnotes.has(definition.identifier)) this.#footnotes.set(definition.identifier, footnote)
  }

  /**
   * The body of a footnote for one reference to it; undefined if there is no such footnote, if it holds what an
   * annotation cannot, inside another footnote (there could be a cycle), and when the copies grow too large.
   */
  footnote(identifier: string): Block[] | undefined {
    const footnote = this.#footnotes.get(identifier)
    if (footnote === undefined || this.#isInFootnote) return undefined
    footnote.body ??= this.#bodyOf(footnote)
    if (!areHeld(footnote.body, ALLOWED_CHILDREN['annotation-body'])) return undefined
    if (footnote.isUsed) {
      this.#copied += footnote.length
      if (this.#copied > COPIES_LENGTH_MAX) return undefined
    }
    footnote.isUsed = true
    return structuredClone([...footnote.body])
  }

  /** The footnotes that no reference used: they are shown at the end of the document. */
  unusedFootnotes(): { definition: FootnoteDefinition; body: readonly Block[] }[] {
    const unused = this.#defined.filter(footnote => !footnote.isUsed)
    return unused.map(footnote => ({
      definition: footnote.definition,
      body: footnote.body ?? this.#bodyOf(footnote),
    }))
  }

  /** The footnotes that references used, each with its body. */
  usedFootnotes(): { definition: FootnoteDefinition; body: readonly Block[] }[] {
    return this.#defined.flatMap(({ definition, body, isUsed }) =>
      isUsed && body !== undefined ? [{ definition, body }] : [],
    )
  }

  #bodyOf(footnote: Footnote): readonly Block[] {
    this.#isInFootnote = true
    const body = fitBlocks(this.blocks(footnote.definition.children), ALLOWED_CHILDREN['annotation-body'])
    this.#isInFootnote = false
    footnote.length = JSON.stringify(body).length
    return body.length === 0 ? [paragraph([])] : body
  }

  problem(code: ConversionProblem['code'], node: Node, message: string): void {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push({ code, message, position: node.position })
  }

  /** The reference of a destination; a `url` with the destination as written when nothing was found. */
  reference(destination: string, purpose: Purpose = 'link'): Reference {
    return this.#means.resolve(destination, purpose) ?? { kind: 'url', url: destination }
  }

  /** The same for pictures, which are only files or addresses. */
  media(destination: string): MediaReference {
    const found = this.#means.resolve(destination, 'image')
    return found?.kind === 'file' || found?.kind === 'url' ? found : { kind: 'url', url: destination }
  }

  /** A picture, and its twin for dark mode if it has one. */
  picture(src: string, dark: string | undefined) {
    return defined({ ref: this.media(src), refDark: dark === undefined ? undefined : this.media(dark) })
  }

  /** A reference of one kind, or undefined where the destination leads to none of that kind. */
  referenceOf<K extends Reference['kind']>(
    kind: K,
    destination: string,
    purpose: Purpose,
  ): Extract<Reference, { kind: K }> | undefined {
    const found = this.#means.resolve(destination, purpose)
    // TypeScript does not narrow by a generic kind.
    return found?.kind === kind ? (found as Extract<Reference, { kind: K }>) : undefined
  }

  /** The id that links to a heading, an expandable or a tab use; undefined if it has none. */
  placeOf(node: Node): string | undefined {
    return this.#means.places.get(node)
  }

  /** An id for anything else that has a title, once: `setup`, then `setup-1`. */
  anchor(title: string): string {
    const base = toAnchor(title) || 'section'
    let uses = this.#uses.get(base) ?? 0
    let anchor = uses === 0 ? base : `${base}-${uses}`
    while (this.#anchors.has(anchor)) anchor = `${base}-${++uses}`
    this.#uses.set(base, uses + 1)
    this.#anchors.add(anchor)
    return anchor
  }
}
