// The text inside a block as a page of its own, whose blocks have the keys that they have in the block.
import { type Block, type DocumentOptions, fitBlocks, type Node } from '../document/document.ts'
import { contentOf } from './matching.ts'
import { type Piece, type Previous, readPrevious } from './previous.ts'

/**
 * The text inside a block of `page` that was read as `nodes`; undefined if by itself it says something else. `below` are
 * the definitions that its words refer to. What is not a block in it stays.
 */
export function readPart(
  page: Previous,
  text: string,
  below: readonly string[],
  nodes: readonly Block[],
  holds: readonly string[],
  { resolve }: DocumentOptions,
): Previous | undefined {
  const { lineEnd } = page
  const source = [text, ...below.flatMap(one => ['', one])].join(lineEnd)
  const read = readPrevious(source, resolve === undefined ? {} : { resolve })
  const pieces: Piece[] = []
  let first = 0
  for (const piece of read.pieces) {
    if (piece.start >= text.length) break
    const made = fitBlocks(piece.nodes, holds)
    const were = nodes.slice(first, first + made.length)
    const says = made.map(contentOf)
    if (were.length < made.length || were.some((node, nth) => contentOf(node) !== says[nth])) return undefined
    for (const [nth, node] of made.entries()) copyKeys(were[nth], node)
    const isLast = piece.start + piece.text.length >= text.length
    pieces.push({
      ...piece,
      first,
      nodes: made,
      says,
      gap: isLast ? '' : piece.gap,
      kind: piece.kind === 'footnote' ? 'other' : piece.kind,
    })
    first += made.length
  }
  if (first < nodes.length || pieces.some(piece => piece.kind === 'head')) return undefined
  return {
    ...read,
    lineEnd,
    pieces,
    nodes: pieces.flatMap(piece => piece.nodes),
    says: pieces.flatMap(piece => piece.says),
    unusedFootnotes: 0,
    footnotes: page.footnotes,
    definitions: page.definitions,
    bullet: page.bullet,
  }
}

/** Two nodes that say the same get the same keys, and all nodes in them. */
function copyKeys(from: Node | undefined, to: Node): void {
  if (from === undefined || from.object === 'text' || to.object === 'text') return
  if (from.key === undefined) delete to.key
  else to.key = from.key
  for (const [nth, node] of (to.nodes ?? []).entries()) copyKeys(from.nodes?.[nth], node)
  for (const [nth, one] of (to.fragments ?? []).entries())
    for (const [at, node] of one.nodes.entries()) copyKeys(from.fragments?.[nth]?.nodes[at], node)
}
