// A page cut into parts: sections at its headings, as plain text, which search finds and links to and the outline
// shows; and blocks, the units of comments, diffs and merges.
import { sha256 } from '../../../base/canonical.ts'
import {
  type Block,
  childrenOf,
  type Node,
  parseMarkdown,
  plainLine,
  plainText,
  type Root,
  SKIP,
  tagIn,
  trimEndOf,
  walk,
} from '../syntax/syntax.ts'
import { headingAnchors, headingLevel, isHeading } from './places.ts'

/**
 * One heading with the content below it, up to the next heading. `level` is 1 for `#`; the content before the first
 * heading has level 0 and neither heading nor anchor. `text` is without the heading. Offsets are those of the source.
 */
export type Section = {
  readonly anchor: string
  readonly heading: string
  readonly level: number
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The sections of a page in order. Text before the first heading is one only if there is any. */
export function sections(source: string, root: Root = parseMarkdown(source)): Section[] {
  const anchors = headingAnchors(root)
  const parents = parentsOf(root, anchors)
  let nodes: Node[] = []
  const cuts = [{ anchor: '', heading: '', level: 0, start: 0, nodes }]
  for (const child of root.children)
    walk(child, node => {
      const anchor = anchors.get(node)
      if (anchor !== undefined) {
        nodes = []
        const level = headingLevel(node)
        cuts.push({ anchor, heading: plainLine([node]), level, start: node.position.start, nodes })
      } else if (!parents.has(node)) nodes.push(node)
      else {
        // A tag's own words, such as the title of a tab, come before the heading in it.
        const tag = tagIn(node)
        if (tag !== undefined) nodes.push({ ...tag, children: [] })
        return undefined
      }
      return SKIP
    })
  return cuts.flatMap(({ nodes, start, ...cut }, index) => {
    const text = plainText(nodes)
    if (cut.level === 0 && text === '') return []
    return { ...cut, text, start, end: cuts[index + 1]?.start ?? source.length }
  })
}

/** The nodes with headings in them; every other node belongs to a single section. */
function parentsOf(root: Root, anchors: ReadonlyMap<Node, string>): Set<Node> {
  const parents = new Set<Node>()
  const visit = (node: Node): boolean => {
    if (anchors.has(node)) return true
    let holds = false
    for (const child of childrenOf(node)) holds = visit(child) || holds
    if (holds) parents.add(node)
    return holds
  }
  visit(root)
  return parents
}

/**
 * One top-level block with the gap after it. `source.slice(start, end)` of all blocks in order is the source.
 *
 * `type` is the type of the node, the name of a tag or HTML element (`hint`, `tabs`, `table`), or `blank` for a
 * document of nothing but white space.
 */
export type BlockSpan = {
  readonly key: string
  readonly type: string
  /** Of a heading: 1 to 6. */
  readonly level?: number
  readonly start: number
  readonly end: number
}

const HASH_DIGITS = 24

/**
 * The blocks of a document. A key is made from a block's own text, without blank lines around it, and from how many
 * blocks with that text precede it: equal text has an equal key in every revision and on every machine.
 */
export function blocks(source: string, root: Root = parseMarkdown(source)): BlockSpan[] {
  const starts = startsOf(source, root.children)
  const seen = new Map<string, number>()
  return starts.map(({ start, ...block }, index) => {
    const end = starts[index + 1]?.start ?? source.length
    const hash = sha256(withoutBlankLines(source.slice(start, end))).slice(0, HASH_DIGITS)
    const occurrence = seen.get(hash) ?? 0
    seen.set(hash, occurrence + 1)
    return { key: occurrence === 0 ? hash : `${hash}-${occurrence}`, ...block, start, end }
  })
}

/** The key of each top-level node. Nodes that begin on one line are one block. */
export function blockKeys(source: string, root: Root): Map<Block, string> {
  const spans = blocks(source, root)
  const keys = new Map<Block, string>()
  let at = 0
  for (const node of root.children) {
    while ((spans[at + 1]?.start ?? Number.POSITIVE_INFINITY) <= node.position.start) at++
    const span = spans[at]
    if (span !== undefined) keys.set(node, span.key)
  }
  return keys
}

/** Where each block begins. */
export const blockStarts = (source: string, root: Root): number[] =>
  startsOf(source, root.children).map(block => block.start)

// A block begins with its line: two nodes on one line are one block, as there is nothing to put between them.
function startsOf(source: string, nodes: readonly Block[]): Omit<BlockSpan, 'key' | 'end'>[] {
  const starts: Omit<BlockSpan, 'key' | 'end'>[] = []
  let previousEnd = 0
  for (const node of nodes) {
    const start = starts.length === 0 ? 0 : lineStart(source, node.position.start, previousEnd)
    const type = node.type === 'tag' || node.type === 'element' ? node.name : node.type
    if (start !== undefined)
      starts.push({ type, ...(isHeading(node) && { level: headingLevel(node) }), start })
    previousEnd = Math.max(previousEnd, node.position.end)
  }
  if (starts.length === 0 && source !== '') starts.push({ type: 'blank', start: 0 })
  return starts
}

/** The beginning of the line of `at`, unless something other than white space precedes it on that line. */
function lineStart(source: string, at: number, from: number): number | undefined {
  let start = at
  while (start > from && (source[start - 1] === ' ' || source[start - 1] === '\t')) start--
  if (start === 0 || start < from) return undefined
  return source[start - 1] === '\n' || source[start - 1] === '\r' ? start : undefined
}

const withoutBlankLines = (text: string): string => trimEndOf(text.replace(/^[ \t\r\n]*\n/, ''), ' \t\r\n')
