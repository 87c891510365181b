// Names for blocks. A top-level block is named after its source, so that comments and reverts find it again in
// every revision; nested blocks are named by their place.
import type { BlockSpan } from '../page/page.ts'
import type { Block, Inline, Node } from './model.ts'

/**
 * Names every block, in place. `starts` says where each top-level block began in the source; blocks made from the
 * same piece of source share its key, followed by a number.
 */
export function nameBlocks(
  nodes: readonly Block[],
  starts: readonly number[],
  spans: readonly BlockSpan[],
): void {
  const uses = new Map<string, number>()
  let at = 0
  nodes.forEach((node, index) => {
    const start = starts[index] ?? 0
    // Footnotes are not where they are written, so the search may have to start over.
    if ((spans[at]?.start ?? 0) > start) at = 0
    while (at < spans.length - 1 && (spans[at]?.end ?? 0) <= start) at++
    const base = spans[at]?.key ?? 'block'
    const use = uses.get(base) ?? 0
    uses.set(base, use + 1)
    name(node, use === 0 ? base : `${base}-${use}`)
  })
}

function name(root: Block, key: string): void {
  const waiting: { node: Block; key: string }[] = [{ node: root, key }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node } = next
    node.key = next.key
    const place = (inside: readonly Node[], prefix: string): void => {
      for (const [index, one] of inside.entries()) {
        if (one.object === 'block') waiting.push({ node: one, key: `${prefix}.${index}` })
        // The body of an annotation is the only place for blocks in a line.
        else if (one.object === 'inline') place(fragmentNodes(one), `${prefix}.${index}`)
      }
    }
    place(node.nodes ?? [], next.key)
    for (const one of node.fragments ?? []) place(one.nodes, `${next.key}.${one.fragment}`)
  }
}

const fragmentNodes = (node: Inline): readonly Block[] => (node.fragments ?? []).flatMap(one => one.nodes)
