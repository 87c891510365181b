// What the renderers of one page share: options, rendering of child nodes, ids, problems, and the remaining bounds.
// They reach each other only through it, so each file knows one kind of thing.
import type { BlockName } from '../blocks/schemas.ts'
import {
  foldAnchor,
  foldedPlace,
  headingLevel,
  otherHeadingIds,
  placeIds,
  shownTitleOf,
  toAnchor,
} from '../page/page.ts'
import type { TagBlock } from '../reading/reading.ts'
import {
  type Block,
  childrenOf,
  type Heading,
  type Inline,
  isInline,
  linkedFootnote,
  type Node,
  type Position,
  type Root,
  toBlocks,
} from '../syntax/syntax.ts'
import type { ApiPart, PartHole } from './api-parts.ts'
import { type Child, flat, type Hast } from './build.ts'
import { Footnotes } from './footnotes.ts'
import type { CodeBlock, ShownCode } from './highlight.ts'
import type { HtmlOptions, HtmlOutlineEntry, HtmlProblem } from './options.ts'

/** The parser nests at most 100 deep, and included content adds its own; anything deeper is not shown. */
const DEPTH_MAX = 400

/** Nodes of one page with everything it includes. The largest page of the corpora has about 5,000. */
const NODES_MAX = 100_000

const OUTLINE_LEVEL_MAX = 3
/** The level of the page's title, which the reader draws. */
const TITLE_LEVEL = 1
/** How deep reusable contents may nest, and how many a page may show. */
export const INCLUDE_DEPTH_MAX = 4
export const INCLUDES_MAX = 200
const PROBLEMS_MAX = 200
const ABOUT_CHARACTERS_MAX = 200

type Positioned = { readonly position: Position }

/** How a block that is written as a tag is drawn. */
export type DrawBlock<N extends BlockName> = (block: TagBlock<N>, scope: Scope) => Child
export type BlockDrawings = { readonly [N in BlockName]: DrawBlock<N> }

type Renderers = {
  block(node: Block, scope: Scope): Child
  inline(node: Inline, scope: Scope): Child
  readonly tags: BlockDrawings
}

/** The state of a page with everything it includes. */
class Page {
  readonly root: Root
  readonly render: Renderers
  readonly codes: { readonly block: CodeBlock; fill(shown: ShownCode): void }[] = []
  readonly parts: { readonly part: ApiPart; readonly hole: PartHole }[] = []
  readonly outline: HtmlOutlineEntry[] = []
  readonly problems: HtmlProblem[] = []
  moreProblems = 0
  /** Links to places of the page itself; which there are is known when all of it is drawn. */
  readonly placeLinks: { readonly anchor: string; readonly at: Positioned }[] = []
  readonly footnotes: Footnotes
  /** Words with a footnote whose mark follows them. */
  readonly marked = new Set<Node>()
  readonly takenIds = new Set<string>()
  /** Each is used once: a node that is shown twice has its id in the first place. */
  readonly ids: Map<Node, string>
  /** The second ids of headings. */
  readonly otherIds: Map<Node, string>
  /** Written levels of the headings that the next one may be below, outermost first. */
  readonly levels: number[] = []
  readonly names = new Map<string, number>()
  readonly including: string[] = []
  includes = 0
  depth = 0
  nodes = 0
  numbers = 0
  readonly title: Heading | undefined

  constructor(root: Root, { pageTitle }: HtmlOptions, render: Renderers) {
    this.root = root
    this.render = render
    this.footnotes = new Footnotes(root)
    this.ids = placeIds(root, this.takenIds)
    this.otherIds = otherHeadingIds(this.ids.keys(), this.takenIds)
    this.title = pageTitle === undefined ? undefined : shownTitleOf(root, pageTitle)
  }
}

export const scopeOf = (root: Root, options: HtmlOptions, render: Renderers): Scope =>
  new Scope(new Page(root, options, render), options)

export class Scope {
  readonly page: Page
  readonly options: HtmlOptions

  constructor(page: Page, options: HtmlOptions) {
    this.page = page
    this.options = options
  }

  /** Children of a container, blocks and inlines mixed; runs of inlines become paragraphs. */
  blocks(nodes: readonly Node[]): Hast[] {
    const { title, render } = this.page
    return flat(
      toBlocks(nodes).map(node => (node === title ? null : this.#visit(() => render.block(node, this)))),
    )
  }

  /** Children of a line. A block among them is rendered in its place; nesting.ts makes it valid. */
  inlines(nodes: readonly Node[]): Hast[] {
    return flat(
      nodes.map((node, index) => {
        if (isNoted(node, nodes[index + 1])) this.page.marked.add(node)
        return this.#visit(() => (isInline(node) ? this.page.render.inline(node, this) : this.blocks([node])))
      }),
    )
  }

  draw(block: TagBlock): Child {
    // The drawing of a name takes the block of that name.
    return (this.page.render.tags[block.name] as DrawBlock<BlockName>)(block, this)
  }

  /** Children of a cell or list item: a line if they are one, else blocks. */
  lineOrBlocks(nodes: readonly Node[]): Hast[] {
    if (nodes.every(isInline)) return this.inlines(nodes)
    const blocks = toBlocks(nodes)
    const [only] = blocks
    return blocks.length === 1 && only !== undefined && isPlainParagraph(only)
      ? this.inlines(childrenOf(only))
      : this.blocks(blocks)
  }

  /** Every node passes through here once: the bounds hold for whatever a page nests or includes. */
  #visit(render: () => Child): Child {
    const { page } = this
    page.nodes++
    if (page.nodes > NODES_MAX || page.depth >= DEPTH_MAX) return null
    page.depth++
    try {
      return render()
    } finally {
      page.depth--
    }
  }

  /** A link to a place of the page, by its anchor. */
  addPlaceLink(anchor: string, at: Positioned): void {
    if (!this.isElsewhere) this.page.placeLinks.push({ anchor, at })
  }

  /** Once all of the page is drawn. */
  reportMissingPlaces(): void {
    const { placeLinks, takenIds } = this.page
    if (placeLinks.length === 0) return
    const places = new Set([...takenIds, toAnchor(this.options.pageTitle ?? '')].map(foldAnchor))
    for (const { anchor, at } of placeLinks) {
      const place = foldedPlace(anchor)
      if (place === null || places.has(place)) continue
      this.report('missing_place', `#${anchor}`, `This page has no place ${anchor.slice(0, 200)}`, at)
    }
  }

  /** Whether a bound ended the page early. */
  isCut(): boolean {
    const isCut = this.page.nodes > NODES_MAX
    if (isCut) this.report('too_long', '', 'The page is longer than the reader shows', this.page.root)
    return isCut
  }

  /** `about` is cut where it is long. */
  report(code: HtmlProblem['code'], about: string, message: string, at: Positioned): void {
    const { problems, including } = this.page
    if (problems.length >= PROBLEMS_MAX) {
      if (including.length === 0) this.page.moreProblems++
      return
    }
    const problem = { code, message, about: about.slice(0, ABOUT_CHARACTERS_MAX) }
    problems.push(including.length > 0 ? problem : { ...problem, position: at.position })
  }

  /** Whether what is drawn now is in another text than the page. */
  get isElsewhere(): boolean {
    return this.page.including.length > 0
  }

  /** Renders a text that the page shows, and that is not in its source. */
  inOtherText(name: string, draw: () => Hast[]): Hast[] {
    const { including } = this.page
    including.push(name)
    const drawn = draw()
    including.pop()
    return drawn
  }

  /** The id that links to a node use (page/places.ts); undefined if it has none, or was already given it. */
  takeId(node: Node): string | undefined {
    const id = this.page.ids.get(node)
    this.page.ids.delete(node)
    return id
  }

  /** The other id that links to a heading may use; undefined if it has none, or was already given it. */
  takeOtherId(heading: Node): string | undefined {
    const id = this.page.otherIds.get(heading)
    this.page.otherIds.delete(heading)
    return id
  }

  /** Id and outline entry of a heading; the same id as its search section's anchor. */
  headingId(heading: Node, text: string): string {
    const id = this.takeId(heading) ?? `section:${this.nextNumber()}`
    const level = headingLevel(heading)
    if (level <= OUTLINE_LEVEL_MAX && text !== '') this.page.outline.push({ id, text, level })
    return id
  }

  /** The level of a heading after those before it, without gaps; called once for each, in order. */
  nextLevel(level: number): number {
    const { levels } = this.page
    while ((levels.at(-1) ?? 0) >= level) levels.pop()
    return levels.push(level) + TITLE_LEVEL
  }

  /** The name, with a number appended if the page already has it. */
  uniqueName(wanted: string): string {
    const uses = (this.page.names.get(wanted) ?? 0) + 1
    this.page.names.set(wanted, uses)
    return uses === 1 ? wanted : this.uniqueName(`${wanted}, ${uses}`)
  }

  /** A number that no other caller of this page gets. */
  nextNumber(): number {
    return ++this.page.numbers
  }

  /** Keeps a code block for the highlighter; `fill` is called with what it is shown as, if it is not plain. */
  addCode(block: CodeBlock, fill: (shown: ShownCode) => void): void {
    this.page.codes.push({ block, fill })
  }

  /** Keeps a part of an API description to be shown in the hole. Returns the number of the hole. */
  addPart(part: ApiPart, hole: PartHole): number {
    return this.page.parts.push({ part, hole }) - 1
  }

  /** Renders reusable content in place: its own resolvers, bounded depth, no cycles. */
  include(destination: string, at: Positioned): Hast[] {
    const { page, options } = this
    const content = options.reusable?.(destination)
    const place = destination.slice(0, 200)
    if (content === undefined) {
      this.report('missing_content', destination, `There is no reusable content at ${place}`, at)
      return []
    }
    const isNested = page.including.length >= INCLUDE_DEPTH_MAX || page.including.includes(destination)
    if (isNested || ++page.includes > INCLUDES_MAX) {
      this.report('nested_content', destination, `Reusable content is nested too deep at ${place}`, at)
      return []
    }
    const { resolveLink = options.resolveLink, resolveImage = options.resolveImage, source = '' } = content
    const ids = placeIds(content.root, page.takenIds)
    for (const [node, id] of ids) page.ids.set(node, id)
    for (const [node, id] of otherHeadingIds(ids.keys(), page.takenIds)) page.otherIds.set(node, id)
    const inner = new Scope(page, { ...options, resolveLink, resolveImage, source })
    return this.inOtherText(destination, () => inner.blocks(content.root.children))
  }
}

/** Whether the mark of the footnote that words have follows them. */
const isNoted = (words: Node, next: Node | undefined): boolean =>
  next?.type === 'footnoteReference' && words.type === 'link' && linkedFootnote(words.url) === next.identifier

/** A paragraph, in Markdown or HTML, without attributes. */
const isPlainParagraph = (node: Node): boolean =>
  node.type === 'paragraph' ||
  (node.type === 'element' && node.name === 'p' && Object.keys(node.attributes).length === 0)
