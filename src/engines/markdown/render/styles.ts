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
  /** Whether there is a blank line between items. */
  readonly isLoose: boolean
}

export type TableStyle = {
  readonly type: 'table'
  /** The widths of the columns between pipes; undefined if the table is written as HTML. */
  readonly widths: readonly number[] | undefined
  /** The rows that somebody wrote: only others are padded to the widths. */
  readonly rows: ReadonlySet<string>
}

export type StyleOf = (block: Block) => Style | undefined

/** The style of a list or a table that a node of the source became. */
export function styleOf(block: Block, node: Node, source: string): Style | undefined {
  if (node.type === 'list') return listStyle(node, source)
  if (block.type !== 'table') return undefined
  const rows = new Set(Object.keys(block.data.records))
  if (node.type !== 'table') return { type: 'table', widths: undefined, rows }
  const [, rule = ''] = source.slice(node.position.start, node.position.end).split('\n', 2)
  const columns = rule.match(/[-:]+/g) ?? []
  return { type: 'table', widths: columns.map(column => column.length), rows }
}

const MARKER = /(?:([-*+])|(\d{1,9})([.)]))( {1,4}(?! ))?/y

function listStyle({ children, spread, position: { start } }: List, source: string): ListStyle | undefined {
  const markers = children.map(({ position }) => matchAt(MARKER, source, position.start))
  const [first, second] = markers
  if (!first) return undefined
  const [, bullet, number, delimiter = '', gap = ' '] = first
  return {
    type: 'list',
    sign: bullet ?? delimiter,
    column: start - source.lastIndexOf('\n', start - 1) - 1,
    gap: gap.length,
    isOneNumber: second != null && markers.every(one => one?.[2] === number),
    isLoose: spread,
  }
}

/** Gives blocks the styles of those that they replace: by the same key, or else the same index. */
export function inheritStyles(
  before: readonly DocumentNode[],
  after: readonly DocumentNode[],
  styles: WeakMap<DocumentNode, Style>,
): void {
  const byKey = new Map<string | undefined, DocumentNode>(before.map(node => [node.key, node]))
  for (const [index, node] of after.entries()) {
    const was = (node.key === undefined ? undefined : byKey.get(node.key)) ?? before[index]
    if (was === undefined || was === node) continue
    const style = styles.get(was)
    if (style !== undefined) styles.set(node, style)
    if (node.object === 'text' || was.object === 'text') continue
    inheritStyles(was.nodes ?? [], node.nodes ?? [], styles)
    const slots = new Map((was.fragments ?? []).map(one => [one.fragment, one.nodes]))
    for (const { fragment, nodes } of node.fragments ?? [])
      inheritStyles(slots.get(fragment) ?? [], nodes, styles)
  }
}
