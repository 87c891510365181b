// Follows a cell of an edited table. Records and definitions are numbered by position, so an inserted row would move
// a comment to its neighbour: rows and columns are found again by their content.
import type { Block } from '../engines/markdown/document/document.ts'

export type Cell = { readonly record: string; readonly definition: string }

type Table = Extract<Block, { type: 'table' }>
type Line = { readonly id: string; readonly says: string }

/** The cell in the current table; null if its row or column is not found. */
export function followCell(before: Table, after: Table, cell: Cell): Cell | null {
  const [columnsBefore, columnsAfter] = [columnsOf(before), columnsOf(after)]
  const definition = followLine(columnsBefore, columnsAfter, cell.definition)
  if (definition === undefined) return null
  // Rows are compared by the columns that both tables have.
  const columns = columnsBefore.flatMap(({ id }) => {
    const after = followLine(columnsBefore, columnsAfter, id)
    return after === undefined ? [] : [{ before: id, after }]
  })
  const rowsBefore = rowsOf(
    before,
    columns.map(column => column.before),
  )
  const rowsAfter = rowsOf(
    after,
    columns.map(column => column.after),
  )
  const record = followLine(rowsBefore, rowsAfter, cell.record)
  return record === undefined ? null : { record, definition }
}

/**
 * The line with the same text, counted among equal lines. A line whose text changed is found by its position, if the
 * number of lines and the text of all others are unchanged.
 */
function followLine(before: readonly Line[], after: readonly Line[], id: string): string | undefined {
  const place = before.findIndex(line => line.id === id)
  const line = before[place]
  if (line === undefined) return undefined
  const isLike = ({ says }: Line): boolean => says === line.says
  const twins = after.filter(isLike)
  if (twins.length > 0) return twins[before.slice(0, place).filter(isLike).length]?.id
  const isOnlyChange =
    before.length === after.length && before.every(({ says }, at) => at === place || after[at]?.says === says)
  return isOnlyChange ? after[place]?.id : undefined
}

const columnsOf = (table: Table): Line[] =>
  Object.values(table.data.definition).map(({ id, title }) => ({ id, says: title }))

function rowsOf(table: Table, definitions: readonly string[]): Line[] {
  const fragments = new Map((table.fragments ?? []).map(({ fragment, nodes }) => [fragment, nodes]))
  const says = (value: unknown): unknown =>
    typeof value === 'string' ? (fragments.get(value) ?? value) : value
  return Object.entries(table.data.records).map(([id, { values }]) => ({
    id,
    says: JSON.stringify(
      definitions.map(definition => says(values[definition])),
      (name, value) => (name === 'key' || name === 'meta' ? undefined : value),
    ),
  }))
}
