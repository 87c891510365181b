// What the renderers of one page share: the options, the way back to blocks and inlines, ids, notes, problems.
// They reach each other through it alone, so each file knows one kind of thing.
import type { Node, Position } from '../syntax/syntax.ts'
import type { Hast } from './build.ts'
import type { CodeBlock, HighlightedCode } from './highlight.ts'
import type { HtmlOptions, HtmlProblem } from './options.ts'
import type { Part, PartHole } from './parts.ts'

export interface Scope {
  readonly options: HtmlOptions
  /** Children of a container, blocks and inlines mixed; runs of inlines become paragraphs. */
  blocks(nodes: readonly Node[]): Hast[]
  /** Children of a line. A block among them is rendered in its place. */
  inlines(nodes: readonly Node[]): Hast[]
  /** Children of a cell or list item: a line where they are one, else blocks. */
  lineOrBlocks(nodes: readonly Node[]): Hast[]
  report(code: HtmlProblem['code'], message: string, at: { readonly position: Position }): void
  /** Id and outline entry of a heading; the same id as its search section's anchor. */
  headingId(heading: Node, words: string): string
  /** The depth of a heading among those before it, where none is skipped; called once for each, in their order. */
  nextLevel(level: number): number
  /** The id that a node is linked to by (page/places.ts); undefined where it has none, or has got it already. */
  takeId(node: Node): string | undefined
  /** The name, with a number behind it where the page has one like it before. */
  uniqueName(wanted: string): string
  /** A number that no other caller of this page gets. */
  nextNumber(): number
  /** Keeps a code block for the highlighter; `fill` is called with its lines where there are any. */
  addCode(block: CodeBlock, fill: (code: HighlightedCode) => void): void
  /** Keeps a part of an API description to be shown in the hole. Returns the number of the hole. */
  addPart(part: Part, hole: PartHole): number
  /** Number of a footnote, in the order of first use, and how often it was used before; undefined without definition. */
  useFootnote(identifier: string): { readonly number: number; readonly use: number } | undefined
  /** Renders reusable content in place: its own resolvers, bounded depth, no cycles. */
  include(destination: string, at: { readonly position: Position }): Hast[]
}
