// Where a card leads.
import type { TagBlock } from '../../reading/reading.ts'
import type { Node } from '../../syntax/syntax.ts'

/** The first link in it, if it says nothing itself. */
export const addressOf = ({ data, tag }: TagBlock<'content-ref'>): string | undefined =>
  data.url ?? firstLink(tag.children)

function firstLink(nodes: readonly Node[]): string | undefined {
  for (const node of nodes) {
    if (node.type === 'link') return node.url
    const below = 'children' in node ? firstLink(node.children) : undefined
    if (below !== undefined) return below
  }
  return undefined
}
