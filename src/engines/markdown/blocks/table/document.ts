// Tables: rows and columns become records and definitions; a cell of words is a fragment named after its place.
import { defined } from '../../../../base/objects.ts'
import {
  type Block,
  type BlockData,
  block,
  type Conversion,
  type Definition,
  type Fragment,
  fragment,
  paragraph,
  plainText,
  readLine,
  type Value,
} from '../../document/converting.ts'
import { labelledContent } from './cells.ts'
import { cellValue } from './document-cells.ts'
import { type Column, columnOf, type Row, readTable, type Table, type TableNode } from './reading.ts'

const ORDER_DIGITS = 6

/** A table, then what stands between its rows and cells. */
export function tableBlocks(node: TableNode, conversion: Conversion): Block[] {
  const table = readTable(node)
  const columns = table.columns.map((column, index) => ({
    column,
    definition: defineColumn(`c${index + 1}`, column, conversion),
  }))
  const { fullWidth, search } = table.data
  const { records, fragments } = fill(table.rows, columns, conversion)
  const data = defined({
    view: viewOf(table, columns),
    records,
    fullWidth,
    search,
    definition: Object.fromEntries(columns.map(({ definition }) => [definition.id, definition])),
  })
  const inside = fragments.length === 0 ? {} : { fragments }
  return [block('table', data, inside), ...conversion.blocks(table.others)]
}

/** A column, and its definition in the model. */
type DefinedColumn = { readonly column: Column; readonly definition: Definition }

function defineColumn(id: string, column: Column, conversion: Conversion): Definition {
  const { head, type, isMultiple: multiple = false, max, options, align, verticalAlignment } = column
  const title = plainText([paragraph(readLine(head?.children ?? [], conversion))])
  switch (type) {
    case 'users':
      return { id, title, type, multiple }
    case 'rating':
      return { id, title, type, max }
    case 'select':
      return {
        id,
        title,
        type,
        multiple,
        options: options.map(one => ({ ...one, color: one.color ?? 'default' })),
      }
    case 'text': {
      const textAlignment = (align && SIDES[align]) ?? 'left'
      return { id, title, type, textAlignment, verticalAlignment: verticalAlignment ?? 'top' }
    }
    default:
      return { id, title, type }
  }
}

const SIDES = { left: 'left', start: 'left', center: 'center', right: 'right', end: 'right' } as const

type Filled = { records: BlockData<'table'>['records']; fragments: Fragment[] }

function fill(rows: readonly Row[], columns: readonly DefinedColumn[], conversion: Conversion): Filled {
  const records: Filled['records'] = {}
  const fragments: Fragment[] = []
  for (const [index, row] of rows.entries()) {
    const values: Record<string, Value> = {}
    for (const [at, cells] of Map.groupBy(row, cell => cell.column)) {
      const column = columns[at]
      const [first, ...others] = cells
      if (column === undefined || first === undefined) continue
      const { id } = column.definition
      const isOnly = others.length === 0
      const value = isOnly ? cellValue(first, column.column, conversion) : undefined
      const slot = `r${index + 1}-${id}`
      values[id] = value === undefined ? slot : value
      if (value !== undefined) continue
      const nodes = cells.flatMap(cell => conversion.blocks(labelledContent(cell, column.column)))
      const words = fragment(slot, nodes.length === 0 ? [paragraph([])] : nodes)
      fragments.push(words)
      if (isOnly) conversion.cellOf.set(words, first.node)
    }
    records[`r${index + 1}`] = { orderIndex: String(index + 1).padStart(ORDER_DIGITS, '0'), values }
  }
  return { records, fragments }
}

function viewOf(table: Table, columns: readonly DefinedColumn[]): BlockData<'table'>['view'] {
  const { data, head } = table
  const idOf = (role: Parameters<typeof columnOf>[1]): string | undefined =>
    columns[columnOf(table, role)]?.definition.id
  const shown = columns.flatMap(({ column, definition }) => (column.isHidden ? [] : definition.id))
  if (data.view === 'cards')
    return defined({
      type: 'cards',
      cardSize: data.cardSize,
      columns: shown,
      targetDefinition: idOf('isTarget'),
      coverDefinition: idOf('isCover'),
      coverDefinitionDark: idOf('isDarkCover'),
      hideColumnTitle: data.hideColumnTitle,
      wrap: data.wrap,
    } as const)
  const widths = columns.flatMap(({ column: { width }, definition }) =>
    typeof width === 'number' && width > 0 ? [[definition.id, width] as const] : [],
  )
  return defined({
    type: 'grid',
    columns: shown,
    ...(widths.length === 0 ? {} : { columnWidths: Object.fromEntries(widths), useNewSizing: true }),
    hideHeader: head === undefined || data.hideHeader === true,
    stickyHeader: data.stickyHeader,
    stickyFirstColumn: data.stickyFirstColumn,
  } as const)
}
