// A document as a list of blocks: what comments anchor to, what a diff shows and what a merge takes or leaves.
import { sha256 } from '../../../base/canonical.ts'
import { type Block, parseMarkdown, type Root } from '../syntax/syntax.ts'

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
 * with that text stood before it: equal text has an equal key in every revision and on every machine.
 */
export function blocks(source: string, root: Root = parseMarkdown(source)): BlockSpan[] {
  const starts = startsOf(source, root.children)
  const seen = new Map<string, number>()
  return starts.map(({ type, level, start }, index) => {
    const end = starts[index + 1]?.start ?? source.length
    const hash = sha256(withoutBlankLines(source.slice(start, end))).slice(0, HASH_DIGITS)
    const occurrence = seen.get(hash) ?? 0
    seen.set(hash, occurrence + 1)
    const key = occurrence === 0 ? hash : `${hash}-${occurrence}`
    return { key, type, ...(level === undefined ? {} : { level }), start, end }
  })
}

type Start = { readonly type: string; readonly level: number | undefined; readonly start: number }

// A block begins with its line: two nodes on one line are one block, as there is nothing to put between them.
function startsOf(source: string, nodes: readonly Block[]): Start[] {
  const starts: Start[] = []
  let previousEnd = 0
  for (const node of nodes) {
    const start = starts.length === 0 ? 0 : lineStart(source, node.position.start, previousEnd)
    if (start !== undefined) starts.push({ type: typeOf(node), level: levelOf(node), start })
    previousEnd = Math.max(previousEnd, node.position.end)
  }
  if (starts.length === 0 && source !== '') starts.push({ type: 'blank', level: undefined, start: 0 })
  return starts
}

/** Where the line of `at` begins, unless something other than white space stands before it on that line. */
function lineStart(source: string, at: number, from: number): number | undefined {
  let start = at
  while (start > from && (source[start - 1] === ' ' || source[start - 1] === '\t')) start--
  if (start === 0 || start < from) return undefined
  return source[start - 1] === '\n' || source[start - 1] === '\r' ? start : undefined
}

const typeOf = (node: Block): string =>
  node.type === 'tag' || node.type === 'element' ? node.name : node.type

const HEADING = /^h([1-6])$/i

function levelOf(node: Block): number | undefined {
  if (node.type === 'heading') return node.depth
  const level = node.type === 'element' ? HEADING.exec(node.name)?.[1] : undefined
  return level === undefined ? undefined : Number(level)
}

const isSpace = (char: string): boolean => char === ' ' || char === '\t' || char === '\n' || char === '\r'

function withoutBlankLines(text: string): string {
  let start = 0
  let end = text.length
  for (let at = 0; at < text.length && isSpace(text[at]!); at++) if (text[at] === '\n') start = at + 1
  while (end > start && isSpace(text[end - 1]!)) end--
  return text.slice(start, end)
}
