// A table in its layout.
import { compareTexts } from '../../../../base/order.ts'
import {
  type Block,
  type BlockOf,
  type Definition,
  paragraph,
  text,
  type Value,
} from '../../document/document.ts'

export type Table = BlockOf<'table'>
export type Row = { readonly id: string; readonly values: Readonly<Record<string, Value>> }

/** A table in its layout: all columns, including hidden ones, and the words of its cells by slot. */
export type Grid = {
  readonly table: Table
  readonly columns: readonly Definition[]
  readonly rows: readonly Row[]
  readonly words: ReadonlyMap<string, readonly Block[]>
}

export function gridOf(table: Table): Grid {
  const { definition, view, records } = table.data
  const defined = Object.values(definition)
  const shown = view.columns.filter(id => Object.hasOwn(definition, id))
  // Hidden columns keep their place between the others if the view keeps the order of the definitions.
  const ids = new Set(shown)
  const inOrder = defined.map(one => one.id).filter(id => ids.has(id))
  const isOrdered = inOrder.length === shown.length && inOrder.every((id, index) => id === shown[index])
  const columns = isOrdered
    ? defined
    : [...new Set([...shown.flatMap(id => definition[id] ?? []), ...defined])]
  const rows = Object.entries(records)
    .map(([id, record]) => ({ id, ...record }))
    .sort((a, b) => compareTexts(a.orderIndex, b.orderIndex))
  const words = new Map<string, readonly Block[]>()
  for (const one of table.fragments ?? []) if (!words.has(one.fragment)) words.set(one.fragment, one.nodes)
  return { table, columns, rows, words }
}

/** The blocks of a cell of words; undefined for a cell with a value of its column's type, or without any. */
export function wordsOf(
  value: Value | undefined,
  column: Definition,
  { words }: Grid,
): readonly Block[] | undefined {
  if (typeof value !== 'string') return undefined
  const found = words.get(value)
  if (found !== undefined) return found
  return column.type === 'text' ? [paragraph([text(value)])] : undefined
}
