// The layout of the lists and tables of a page, so that new ones beside them are laid out alike.
import type { Block, Node as DocumentNode } from '../document/document.ts'
import { type List, matchAt, type Node } from '../syntax/syntax.ts'

export type Style = ListStyle | TableStyle

export type ListStyle = {
  readonly type: 'list'
  /** The sign of its first item: `-`, or the one after a number. */
  readonly sign: string
  /** The column of the first marker. */
  readonly column: number
  /** The number of spaces between a marker and its words. */
  readonly gap: number
  /** Whether each item has the number of the first. */
  readonly isOneNumber: boolean
  /** The numbers of items by their keys, if they do not follow each other. */
  readonly numbers: ReadonlyMap<string | undefined, number> | undefined
  /** Whether there is a blank line between items. */
  readonly isLoose: boolean
}

export type TableStyle = {
  readonly type: 'table'
  /** The widths of the columns between pipes; undefined if the table is written as HTML. */
  readonly widths: readonly number[] | undefined
  /** Whether the rows of HTML are on one line; undefined between pipes. */
  readonly isOneLine: boolean | undefined
  /** The rows that somebody wrote: only others are padded to the widths. */
  readonly rows: ReadonlySet<string>
}

export type StyleOf = (block: Block) => Style | undefined

/** The style of a list or a table that a node of the source became. */
export function styleOf(block: Block, node: Node, source: string): Style | undefined {
  if (node.type === 'list') return listStyle(block, node, source)
  if (block.type !== 'table') return undefined
  const rows = new Set(Object.keys(block.data.records))
  const text = source.slice(node.position.start, node.position.end)
  if (node.type !== 'table') {
    const betweenRows = text.split('</tr>').slice(1, -1)
    return {
      type: 'table',
      widths: undefined,
      rows,
      isOneLine: !betweenRows.some(one => /^[ \t]*\r?\n/.test(one)),
    }
  }
  const [, rule = ''] = text.split('\n', 2)
  const columns = rule.match(/[-:]+/g) ?? []
  return { type: 'table', widths: columns.map(column => column.length), rows, isOneLine: undefined }
}

const MARKER = /(?:([-*+])|(\d{1,9})([.)]))( {1,4}(?! )|\t)?/y
const TAB_STOP = 4

function listStyle(
  { nodes: items = [] }: Block,
  { children, spread, position: { start } }: List,
  source: string,
): ListStyle | undefined {
  const markers = children.map(({ position }) => matchAt(MARKER, source, position.start))
  const [first, second] = markers
  if (!first) return undefined
  const [marker, bullet, number, delimiter = '', gap = ' '] = first
  const column = start - source.lastIndexOf('\n', start - 1) - 1
  const isOneNumber = second != null && markers.every(one => one?.[2] === number)
  const numbers = markers.map(one => Number(one?.[2]))
  const isRegular = isOneNumber || numbers.every((one, index) => one === Number(number) + index)
  const isKnown = number !== undefined && !isRegular && items.length === numbers.length
  return {
    type: 'list',
    sign: bullet ?? delimiter,
    column,
    gap: gap === '\t' ? TAB_STOP - ((column + marker.length - 1) % TAB_STOP) : gap.length,
    isOneNumber,
    numbers: isKnown
      ? new Map(items.map((item, index) => [item.key, numbers[index] ?? Number.NaN]))
      : undefined,
    isLoose: spread,
  }
}

/** The styles of a page by the keys of its lists and tables, and of the items of its lists. */
export function stylesByKey(styles: ReadonlyMap<Block, Style>): Map<string | undefined, Style> {
  const byKey = new Map<string | undefined, Style>()
  for (const [{ key, nodes = [] }, style] of styles)
    for (const one of [key, ...(style.type === 'list' ? nodes.map(item => item.key) : [])])
      if (one !== undefined) byKey.set(one, style)
  return byKey
}

/**
 * Gives blocks the styles of those that they replace: by the same key, or else the same index. A list that was cut from
 * another is `known` by its first item.
 */
export function inheritStyles(
  before: readonly DocumentNode[],
  after: readonly DocumentNode[],
  styles: WeakMap<DocumentNode, Style>,
  known: ReadonlyMap<string | undefined, Style>,
): void {
  const byKey = new Map<string | undefined, DocumentNode>(before.map(node => [node.key, node]))
  for (const [index, node] of after.entries()) {
    const was = (node.key === undefined ? undefined : byKey.get(node.key)) ?? before[index]
    if (was === node || node.object === 'text') continue
    const first = node.type.startsWith('list-') ? node.nodes?.[0]?.key : undefined
    const style = known.get(node.key) ?? (was && styles.get(was)) ?? known.get(first)
    if (style !== undefined && node.type !== 'list-item') styles.set(node, style)
    const wasInside = was === undefined || was.object === 'text' ? undefined : was
    inheritStyles(wasInside?.nodes ?? [], node.nodes ?? [], styles, known)
    const slots = new Map((wasInside?.fragments ?? []).map(one => [one.fragment, one.nodes]))
    for (const { fragment, nodes } of node.fragments ?? [])
      inheritStyles(slots.get(fragment) ?? [], nodes, styles, known)
  }
}
