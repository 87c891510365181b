// The tree a page is read into: CommonMark and GFM as mdast names them, with GitBook's `{% tags %}` and raw HTML
// as nodes of their own. Both renderers, the search index and the link checker walk this tree and nothing else.
//
// Every node knows where it stands. Offsets count UTF-16 code units of the source as it was given, so that
// `source.slice(node.position.start, node.position.end)` is the text of the node, whatever its line endings.

export type Position = { readonly start: number; readonly end: number }

interface Base {
  readonly position: Position
}
interface Parent<Child> extends Base {
  readonly children: readonly Child[]
}

export interface Root extends Parent<Block> {
  readonly type: 'root'
}

// Blocks.

export interface Paragraph extends Parent<Inline> {
  readonly type: 'paragraph'
}
export interface Heading extends Parent<Inline> {
  readonly type: 'heading'
  readonly depth: 1 | 2 | 3 | 4 | 5 | 6
}
export interface ThematicBreak extends Base {
  readonly type: 'thematicBreak'
}
export interface Blockquote extends Parent<Block> {
  readonly type: 'blockquote'
}
/** `start` is the first number of an ordered list, null in an unordered one. */
export interface List extends Parent<ListItem> {
  readonly type: 'list'
  readonly ordered: boolean
  readonly start: number | null
  readonly spread: boolean
}
/** `checked` is null where the item is not a task. */
export interface ListItem extends Parent<Block> {
  readonly type: 'listItem'
  readonly checked: boolean | null
  readonly spread: boolean
}
/** `lang` is the first word of a fence's info string, `meta` the rest; both null in indented code. */
export interface Code extends Base {
  readonly type: 'code'
  readonly lang: string | null
  readonly meta: string | null
  readonly value: string
}
/** A formula between `$$` lines. */
export interface Math extends Base {
  readonly type: 'math'
  readonly value: string
}
export interface Frontmatter extends Base {
  readonly type: 'yaml'
  readonly value: string
}
export interface Definition extends Base {
  readonly type: 'definition'
  readonly identifier: string
  readonly label: string
  readonly url: string
  readonly title: string | null
}
export interface FootnoteDefinition extends Parent<Block> {
  readonly type: 'footnoteDefinition'
  readonly identifier: string
  readonly label: string
}
export type Align = 'left' | 'right' | 'center' | null
/** A GFM pipe table; the first row is its head. HTML tables are elements. */
export interface Table extends Parent<TableRow> {
  readonly type: 'table'
  readonly align: readonly Align[]
}
export interface TableRow extends Parent<TableCell> {
  readonly type: 'tableRow'
}
export interface TableCell extends Parent<Inline> {
  readonly type: 'tableCell'
}

// Inlines.

export interface Text extends Base {
  readonly type: 'text'
  readonly value: string
}
export interface Emphasis extends Parent<Inline> {
  readonly type: 'emphasis'
}
export interface Strong extends Parent<Inline> {
  readonly type: 'strong'
}
export interface Delete extends Parent<Inline> {
  readonly type: 'delete'
}
export interface InlineCode extends Base {
  readonly type: 'inlineCode'
  readonly value: string
}
export interface InlineMath extends Base {
  readonly type: 'inlineMath'
  readonly value: string
}
export interface Break extends Base {
  readonly type: 'break'
}
/** `reference` is the identifier of the definition that `url` and `title` were taken from, null in `[a](b)`. */
export interface Link extends Parent<Inline> {
  readonly type: 'link'
  readonly url: string
  readonly title: string | null
  readonly reference: string | null
}
export interface Image extends Base {
  readonly type: 'image'
  readonly url: string
  readonly alt: string
  readonly title: string | null
  readonly reference: string | null
}
export interface FootnoteReference extends Base {
  readonly type: 'footnoteReference'
  readonly identifier: string
  readonly label: string
}

// What stands in blocks and in lines alike.

/**
 * One of GitBook's `{% name … %}` tags.
 *
 * `isClosed` says that an `{% endname %}` was found: `children` then holds what stands between the two.
 * `attributes` are the `key="value"` pairs; a bare key is `true`. `argument` is everything after the name as it was
 * written, for tags that are not made of pairs: `{% include "x.md" %}`, `{% if a.b == "c" %}`, `{% vars.name %}`.
 * `ranges` says where the value of an attribute stands in the source, without its quotes.
 */
export interface Tag extends Parent<Node> {
  readonly type: 'tag'
  readonly name: string
  readonly attributes: Readonly<Record<string, string | boolean>>
  readonly argument: string
  readonly isClosed: boolean
  readonly isInline: boolean
  readonly ranges: Readonly<Record<string, Position>>
}

/**
 * A balanced HTML element, or a void one such as `<img>`. Names of elements and attributes are lower case, values
 * have their character references decoded. Between the tags may stand other elements and text (HTML's own, white
 * space kept only where it can be seen), and Markdown where blank lines allowed it: blocks and inlines may be mixed.
 */
export interface Element extends Parent<Node> {
  readonly type: 'element'
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly isInline: boolean
  readonly ranges: Readonly<Record<string, Position>>
}

/** The rest of HTML: what is not part of a balanced element. `name` is that of a stray tag, else empty. */
export interface Html extends Base {
  readonly type: 'html'
  readonly kind: 'comment' | 'declaration' | 'open' | 'close'
  readonly name: string
  readonly value: string
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

export type Node = Root | Block | Inline | ListItem | TableRow | TableCell

const INLINE_TYPES: ReadonlySet<string> = new Set([
  'text',
  'emphasis',
  'strong',
  'delete',
  'inlineCode',
  'inlineMath',
  'break',
  'link',
  'image',
  'footnoteReference',
])

/** Whether a node stands in a line of text, as opposed to being a block of its own. */
export const isInline = (node: Node): boolean =>
  node.type === 'tag' || node.type === 'element' || node.type === 'html'
    ? node.isInline
    : INLINE_TYPES.has(node.type)

/** The children of any node; an empty list where it can have none. */
export const childrenOf = (node: Node): readonly Node[] => ('children' in node ? node.children : [])

const isBlank = (node: Inline): boolean => node.type === 'text' && node.value.trim() === ''

/**
 * The children of a tag or an element as blocks: each run of inlines becomes one paragraph, without white space at its
 * ends. A run of nothing but white space gives no paragraph; one of white space and comments gives the comments.
 */
export function toBlocks(children: readonly Node[]): Block[] {
  const blocks: Block[] = []
  let run: Inline[] = []
  const flush = () => {
    let from = 0
    let to = run.length
    while (from < to && isBlank(run[from]!)) from++
    while (to > from && isBlank(run[to - 1]!)) to--
    const line = trimmed(run.slice(from, to))
    run = []
    if (line.every(node => node.type === 'html' || isBlank(node)))
      blocks.push(...line.filter(node => node.type === 'html'))
    else
      blocks.push({
        type: 'paragraph',
        children: line,
        position: { start: line[0]!.position.start, end: line.at(-1)!.position.end },
      })
  }
  for (const node of children) {
    if (isInline(node)) run.push(node as Inline)
    else {
      flush()
      blocks.push(node as Block)
    }
  }
  flush()
  return blocks
}

function trimmed(line: readonly Inline[]): Inline[] {
  return line.map((node, index) => {
    if (node.type !== 'text') return node
    let { value } = node
    if (index === 0) value = value.trimStart()
    if (index === line.length - 1) value = value.trimEnd()
    return value === node.value ? node : { ...node, value }
  })
}
