// The tree a page is read into: CommonMark and GFM as mdast names them, with GitBook's `{% tags %}` and raw HTML
// as nodes of their own. Both renderers, the search index and the link checker walk this tree and nothing else.
//
// Every node has its position. Offsets count UTF-16 code units of the source as it is, so that
// `source.slice(node.position.start, node.position.end)` is the text of the node, whatever its line endings.

import { flatMapRuns } from './runs.ts'

export type Position = { readonly start: number; readonly end: number }

export type Word = Position & { readonly value: string }

interface NodeOf<Type extends string> {
  readonly type: Type
  readonly position: Position
}
interface Literal<Type extends string> extends NodeOf<Type> {
  readonly value: string
}
interface Parent<Type extends string, Child> extends NodeOf<Type> {
  readonly children: readonly Child[]
}

export interface Root extends Parent<'root', Block> {
  /** Those that are text, because their partner is missing or they need one. In no order. */
  readonly loneTags: readonly LoneTag[]
}

/** A `{% tag %}` that opens or ends nothing. */
export type LoneTag = {
  readonly name: string
  readonly isEnd: boolean
  readonly position: Position
}

// Blocks.

export type Paragraph = Parent<'paragraph', Inline>
/** `id` is the one that `{#id}` at its end gives it, as Pandoc and others write it; it is not one of the children. */
export interface Heading extends Parent<'heading', Inline> {
  readonly depth: 1 | 2 | 3 | 4 | 5 | 6
  readonly id?: Word
}
export type ThematicBreak = NodeOf<'thematicBreak'>
export type Blockquote = Parent<'blockquote', Block>
/** `start` is the first number of an ordered list, null in an unordered one. */
export interface List extends Parent<'list', ListItem> {
  readonly ordered: boolean
  readonly start: number | null
  readonly spread: boolean
}
/** `checked` is null where the item is not a task. */
export interface ListItem extends Parent<'listItem', Block> {
  readonly checked: boolean | null
  readonly spread: boolean
}
/** `lang` is the first word of a fence's info string, `meta` the rest; both null in indented code. */
export interface Code extends Literal<'code'> {
  readonly lang: string | null
  readonly meta: string | null
}
/** A formula between `$$` lines. */
export type Math = Literal<'math'>
export type Frontmatter = Literal<'yaml'>
/** `identifier` is `label` as identifiers are compared. */
interface Labelled {
  readonly identifier: string
  readonly label: string
}
export interface Definition extends NodeOf<'definition'>, Labelled {
  readonly url: string
  readonly title: string | null
}
export interface FootnoteDefinition extends Parent<'footnoteDefinition', Block>, Labelled {}
export type Align = 'left' | 'right' | 'center' | null
/** A GFM pipe table; the first row is its head. HTML tables are elements. */
export interface Table extends Parent<'table', TableRow> {
  readonly align: readonly Align[]
}
export type TableRow = Parent<'tableRow', TableCell>
export type TableCell = Parent<'tableCell', Inline>

// Inlines.

export type Text = Literal<'text'>
export type Emphasis = Parent<'emphasis', Inline>
export type Strong = Parent<'strong', Inline>
export type Delete = Parent<'delete', Inline>
export type InlineCode = Literal<'inlineCode'>
export type InlineMath = Literal<'inlineMath'>
export type Break = NodeOf<'break'>
/** `reference` is the identifier of the definition that `url` and `title` were taken from, null in `[a](b)`. */
export interface Target {
  readonly url: string
  readonly title: string | null
  readonly reference: string | null
}
export interface Link extends Parent<'link', Inline>, Target {}
export interface Image extends NodeOf<'image'>, Target {
  readonly alt: string
}
export interface FootnoteReference extends NodeOf<'footnoteReference'>, Labelled {}

// Blocks or inlines, depending on where they are.

/**
 * One of GitBook's `{% name … %}` tags.
 *
 * `isClosed` means that an `{% endname %}` was found: `children` is then what is between the two.
 * `attributes` are the `key="value"` pairs; a bare key is `true`. `argument` is everything after the name, as written,
 * for tags that are not made of pairs: `{% include "x.md" %}`, `{% if a.b == "c" %}`, `{% vars.name %}`.
 * `word` is the first word or quoted value without a key. `ranges` are the source ranges of attribute values. Quotes
 * belong to neither.
 */
export interface Tag extends Parent<'tag', Content> {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | boolean>>
  readonly argument: string
  readonly word: Word | undefined
  readonly isClosed: boolean
  readonly isInline: boolean
  readonly ranges: Readonly<Record<string, Position>>
}

/**
 * A balanced HTML element, or a void one such as `<img>`. Names of elements and attributes are lower case, values
 * have their character references decoded. Between the tags may be other elements and text (HTML's own, white
 * space kept only where it can be seen), and Markdown where blank lines allowed it: blocks and inlines may be mixed.
 */
export interface Element extends Parent<'element', Content> {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly isInline: boolean
  readonly ranges: Readonly<Record<string, Position>>
}

/** Any other HTML, not part of a balanced element. `name` is the name of a stray tag, otherwise empty. */
export interface Html extends Literal<'html'> {
  readonly kind: 'comment' | 'declaration' | 'open' | 'close'
  readonly name: string
  readonly isInline: boolean
}

export type Block =
  | Paragraph
  | Heading
  | ThematicBreak
  | Blockquote
  | List
  | Code
  | Math
  | Frontmatter
  | Definition
  | FootnoteDefinition
  | Table
  | Tag
  | Element
  | Html

export type Inline =
  | Text
  | Emphasis
  | Strong
  | Delete
  | InlineCode
  | InlineMath
  | Break
  | Link
  | Image
  | FootnoteReference
  | Tag
  | Element
  | Html

/** What a tag or an element may hold. */
export type Content = Block | Inline
export type Node = Root | Content | ListItem | TableRow | TableCell

const INLINE_TYPES: ReadonlySet<string> = new Set(
  'text emphasis strong delete inlineCode inlineMath break link image footnoteReference'.split(' '),
)

/** Whether a node is part of a line of text rather than a block of its own. */
export const isInline = (node: Node): node is Inline =>
  node.type === 'tag' || node.type === 'element' || node.type === 'html'
    ? node.isInline
    : INLINE_TYPES.has(node.type)

/** Whether a node is an element with this name. */
export const isNamed = <Name extends string>(
  node: Node,
  name: Name,
): node is Element & { readonly name: Name } => node.type === 'element' && node.name === name

/** Whether a node is a cell of an HTML table. */
export const isCell = (node: Node): node is Element => isNamed(node, 'td') || isNamed(node, 'th')

export const hasClass = ({ attributes }: Element, name: string): boolean =>
  (attributes.class ?? '').split(/\s+/).includes(name)

/** The children of any node; an empty list where it can have none. */
export const childrenOf = (node: Node): readonly Node[] => ('children' in node ? node.children : [])

/** Returned by a visitor to skip what is in the node. */
export const SKIP = Symbol('skip')

/** Visits a node and everything in it, in order. */
export function walk(node: Node, visit: (node: Node) => unknown): void {
  if (visit(node) === SKIP) return
  for (const child of childrenOf(node)) walk(child, visit)
}

const isBlank = (node: Inline): boolean => node.type === 'text' && node.value.trim() === ''

/**
 * The children of a tag or an element as blocks: each run of inlines becomes one paragraph, without white space at its
 * ends. A run of nothing but white space gives no paragraph; one of white space and comments gives the comments.
 */
export const toBlocks = (children: readonly Node[]): readonly Block[] =>
  // Items, rows and cells have parents of their own, and a root has none: everything else is a block.
  children.some(isInline)
    ? flatMapRuns(
        children,
        isInline,
        // `isInline` holds for every node of a run.
        run => paragraphOf(run as Inline[]),
        node => [node as Block],
      )
    : (children as readonly Block[])

function paragraphOf(run: readonly Inline[]): Block[] {
  const line = run.slice(
    run.findIndex(node => !isBlank(node)),
    run.findLastIndex(node => !isBlank(node)) + 1,
  )
  const [first, last] = [line[0], line.at(-1)]
  if (!first || !last || line.every(node => node.type === 'html' || isBlank(node)))
    return line.filter(node => node.type === 'html')
  const children = line.map(node => {
    if (node.type !== 'text') return node
    const start = node === first ? node.value.trimStart() : node.value
    const value = node === last ? start.trimEnd() : start
    return value === node.value ? node : { ...node, value }
  })
  return [{ type: 'paragraph', children, position: spanOf(first, last) }]
}

/** From the beginning of one node to the end of another. */
export const spanOf = (first: Node, last: Node): Position => ({
  start: first.position.start,
  end: last.position.end,
})
