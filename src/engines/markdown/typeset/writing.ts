// What the writers of one page share: the writer of blocks, what they need from the document, and how deep they are.
import type { Element, ElementContent } from 'hast'
import type { BlockNamed, DrawnBlock } from '../html/values.ts'
import type { Block } from './nodes.ts'

/** The template nests this many blocks, the typesetter not many more; deeper ones lose their frames. */
export const BLOCK_DEPTH_MAX = 8
/** The same for inlines. */
export const INLINE_DEPTH_MAX = 6

/** On a line as wide as the sheet; less in a table cell. */
const WORD_MAX = 30
const WORD_MAX_IN_CELLS = 12

/** Writes a block that drew itself as this element. */
export type WriteBlock<Name extends DrawnBlock['name']> = (
  drawn: BlockNamed<Name>,
  node: Element,
  writing: Writing,
) => Block[]

/** Writers of these blocks. */
export type BlockWriters<Name extends DrawnBlock['name']> = { readonly [N in Name]: WriteBlock<N> }

export class Writing {
  readonly ids = new Set<string>()
  readonly targets = new Set<string>()
  readonly pictures = new Set<string>()
  /** SVG by name. */
  readonly diagrams = new Map<string, string>()
  readonly icons = new Set<string>()
  blockDepth = 0
  inlineDepth = 0
  readonly #writeBlocks: (nodes: readonly ElementContent[], writing: Writing) => Block[]
  #cellDepth = 0
  #headDepth = 0

  constructor(writeBlocks: (nodes: readonly ElementContent[], writing: Writing) => Block[]) {
    this.#writeBlocks = writeBlocks
  }

  /** Blocks and inlines mixed; runs of inlines become paragraphs. */
  blocks(nodes: readonly ElementContent[]): Block[] {
    return this.#writeBlocks(nodes, this)
  }

  /** Longer words may be broken. */
  get wordMax(): number {
    return this.#cellDepth > 0 ? WORD_MAX_IN_CELLS : WORD_MAX
  }

  /** The id of an element, for the first that has it. */
  takeId({ properties }: Element): string | undefined {
    const { id } = properties
    if (this.#headDepth > 0 || typeof id !== 'string' || id === '' || this.ids.has(id)) return undefined
    this.ids.add(id)
    return id
  }

  inCell<Written>(write: () => Written): Written {
    this.#cellDepth += 1
    const written = write()
    this.#cellDepth -= 1
    return written
  }

  /** Repeated cells cannot be linked to: the typesetter would not know which one is meant. */
  inRepeatedCell<Written>(write: () => Written): Written {
    this.#headDepth += 1
    const written = this.inCell(write)
    this.#headDepth -= 1
    return written
  }
}

export const elementsOf = (nodes: readonly ElementContent[]): Element[] =>
  nodes.filter(node => node.type === 'element')

export function textOf(nodes: readonly ElementContent[]): string {
  let text = ''
  for (const node of nodes)
    if (node.type === 'text') text += node.value
    else if (node.type === 'element') text += textOf(node.children)
  return text
}
