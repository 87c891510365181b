// A document as a list of blocks, the units of comments, diffs and merges.
import { sha256 } from '../../../base/canonical.ts'
import { type Block, parseMarkdown, type Root } from '../syntax/syntax.ts'
import { headingLevel, isHeading } from './anchors.ts'

/**
 * One top-level block with the gap after it. `source.slice(start, end)` of all blocks in order is the source.
 *
 * `type` is that of the node, for tags and HTML elements their name (`hint`, `tabs`, `table`), and `blank` for a
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
 * The blocks of a document. A key is made of a block's own text, without blank lines around it, and of how many blocks
 * with that text are before it: equal text has an equal key in every revision and on every machine.
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

/** The beginning of the line of `at`, unless something other than white space is before it on that line. */
function lineStart(source: string, at: number, from: number): number | undefined {
  let start = at
  while (start > from && (source[start - 1] === ' ' || source[start - 1] === '\t')) start--
  if (start === 0 || start < from) return undefined
  return source[start - 1] === '\n' || source[start - 1] === '\r' ? start : undefined
}

const withoutBlankLines = (text: string): string =>
  text.replace(/^[ \t\r\n]*\n/, '').replace(/(?<![ \t\r\n])[ \t\r\n]+$/, '')
