// What the parts of a block are written with.
import type { Block, DocumentOptions } from '../document/document.ts'
import type { Node } from '../syntax/syntax.ts'
import type { Previous } from './previous.ts'
import type { Footnote } from './rendering.ts'
import type { Step } from './steps.ts'
import type { Style } from './styles.ts'

/** What writes blocks of a page, or of the text inside a block. */
export type PartWriter = {
  readonly before: Previous
  readonly options: DocumentOptions
  /** The text of new blocks, and what it says. */
  readonly writeStep: (step: Extract<Step, { type: 'new' }>) => {
    readonly text: string
    readonly says: readonly string[]
  }
  /** The text of a node, which `own` was made from, as `is`, if its parts can be written by themselves. */
  readonly writeInside: (node: Node, own: Block, is: Block) => string | undefined
  readonly inside: (before: Previous) => PartWriter
  readonly layOut: (block: Block, style: Style | undefined) => void
  readonly footnotesOf: (identifiers: Iterable<string>) => readonly Footnote[]
  /** Whether so many more characters may be parsed for parts. */
  readonly mayParse: (characters: number) => boolean
}
