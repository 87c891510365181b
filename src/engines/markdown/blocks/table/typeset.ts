// The rows of a table as cards, on paper.
import type { Element } from 'hast'
import {
  type Block,
  elementsOf,
  partOf,
  type WriteBlock,
  type Writing,
  writeLink,
} from '../../typeset/typesetting.ts'

export const cards: WriteBlock<'cards'> = (_, node, writing) => [
  { kind: 'cards', cards: elementsOf(node.children).map(card => writeCard(card, writing)) },
]

/** Its first words link to where the whole card links in the reader. */
function writeCard(card: Element, writing: Writing): Block[] {
  const target = partOf(card, 'target')
  const blocks = (['cover', 'inside'] as const).flatMap(name =>
    writing.blocks(partOf(card, name)?.children ?? []),
  )
  const first = blocks.findIndex(({ kind }) => kind === 'paragraph')
  const words = blocks[first]
  if (target === undefined || words?.kind !== 'paragraph') return blocks
  return blocks.with(first, { ...words, inside: writeLink(target, words.inside, writing) })
}
