// The children of a block by their sort: words in a line, or blocks.
import type { Block, Inline, Node, Text } from '../document/document.ts'

/** Texts and the inlines between them. */
export type Words = readonly (Text | Inline)[]

const childrenOf = ({ nodes = [] }: Block): readonly Node[] => nodes

export const wordsOf = (block: Block): Words => childrenOf(block).filter(node => node.object !== 'block')

export const blocksIn = (block: Block): readonly Block[] =>
  childrenOf(block).filter(node => node.object === 'block')
