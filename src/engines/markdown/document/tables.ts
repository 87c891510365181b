// Tables: rows and columns become records and definitions; a cell of words is a fragment named after its place.
import { defined } from '../../../base/objects.ts'
import { dataAttributes, isOn, readAttributes, TABLE_ATTRIBUTES } from '../attributes/attributes.ts'
import { type Element, isCell, isNamed, type Node, type Table } from '../syntax/syntax.ts'
import { cellValue, type Definition, defineColumn, type Values } from './cells.ts'
import type { Conversion } from './conversion.ts'
import { readLine } from './inlines.ts'
import { type Block, type BlockData, block, type Fragment, fragment, paragraph } from './model.ts'
import { plainText } from './schema-fitting.ts'

/** In wider tables, the last column holds the remaining cells. */
const COLUMNS_MAX = 200
const ORDER_DIGITS = 6

/** A cell and the column it begins in. */
type Placed = { readonly cell: Node & { readonly children: readonly Node[] }; readonly column: number }
type Row = readonly Placed[]

/** A pipe table: its first row is the head, and its columns hold words. */
export function readPipeTable(node: Table, conversion: Conversion): Block[] {
  const [head, ...rows] = node.children.map(
    (row): Row => row.children.map((cell, index) => ({ cell, column: Math.min(index, COLUMNS_MAX - 1) })),
  )
  const definitions = define(
    head ?? [],
    widthOf([head ?? [], ...rows]),
    index => node.align[index] ?? null,
    conversion,
  )
  const { records, fragments } = fill(rows, definitions, conversion)
  const columns = definitions.map(one => one.id)
  return [table({ view: { type: 'grid', columns, hideHeader: false }, records }, definitions, fragments)]
}

/** An HTML table, GitBook's form for what pipes cannot express: widths, types, cards. */
export function readHtmlTable(node: Element, conversion: Conversion): Block[] {
  const { head, rows, others } = rowsOf(node)
  const heads = place(head === undefined ? [] : [head])[0] ?? []
  const placed = place(rows)
  const definitions = define(heads, widthOf([heads, ...placed]), () => null, conversion)
  const { records, fragments } = fill(placed, definitions, conversion)
  const search = node.attributes['data-search']
  const data = defined({
    view: viewOf(node, heads, definitions, head !== undefined),
    records,
    fullWidth: isOn(node.attributes['data-full-width']) || undefined,
    search: search === undefined ? undefined : search !== 'false',
  })
  return [table(data, definitions, fragments), ...conversion.blocks(others)]
}

const table = (
  data: Omit<BlockData<'table'>, 'definition'>,
  definitions: readonly Definition[],
  fragments: readonly Fragment[],
): Block => {
  const definition = Object.fromEntries(definitions.map(one => [one.id, one]))
  return block('table', { ...data, definition }, fragments.length === 0 ? {} : { fragments })
}

const widthOf = (rows: readonly Row[]): number => {
  let width = 0
  for (const row of rows) for (const { column } of row) width = Math.max(width, column + 1)
  return width
}

function define(
  head: Row,
  width: number,
  alignOf: (index: number) => string | null,
  conversion: Conversion,
): Definition[] {
  const cells = new Map(head.map(({ cell, column }) => [column, cell]))
  return Array.from({ length: width }, (_, index) => {
    const cell = cells.get(index)
    const words = (cell?.children ?? []).filter(child => !isNamed(child, 'select'))
    const title = plainText([paragraph(readLine(words, conversion))])
    return defineColumn(`c${index + 1}`, title, cell?.type === 'element' ? cell : undefined, alignOf(index))
  })
}

type Filled = { records: BlockData<'table'>['records']; fragments: Fragment[] }

function fill(rows: readonly Row[], definitions: readonly Definition[], conversion: Conversion): Filled {
  const records: Filled['records'] = {}
  const slots = new Map<string, Block[]>()
  const cells = new Map<string, Node>()
  for (const [index, row] of rows.entries()) {
    const values: Values = {}
    for (const { cell, column } of row) {
      const definition = definitions[column]
      if (definition === undefined) continue
      const slot = `r${index + 1}-${definition.id}`
      const value = cellValue(definition, cell, conversion)
      if (value !== undefined && !slots.has(slot)) {
        values[definition.id] = value
        continue
      }
      values[definition.id] = slot
      const blocks = slots.get(slot)
      if (blocks === undefined) {
        slots.set(slot, conversion.blocks(cell.children))
        cells.set(slot, cell)
      } else {
        for (const block of conversion.blocks(cell.children)) blocks.push(block)
        cells.delete(slot)
      }
    }
    records[`r${index + 1}`] = { orderIndex: String(index + 1).padStart(ORDER_DIGITS, '0'), values }
  }
  const fragments = [...slots].map(([slot, nodes]) => {
    const made = fragment(slot, nodes.length === 0 ? [paragraph([])] : nodes)
    const cell = cells.get(slot)
    if (cell !== undefined) conversion.cellOf.set(made, cell)
    return made
  })
  return { records, fragments }
}

// ---- HTML ------------------------------------------------------------------------------------------------

type Rows = { head: Element | undefined; rows: Element[]; others: Node[] }

/** The rows of a table; the first row of its `<thead>`, or a first row of `<th>` alone, is the head. */
function rowsOf(node: Element): Rows {
  const found: Rows = { head: undefined, rows: [], others: [] }
  const open = (children: readonly Node[], isHead: boolean): void => {
    for (const child of children) {
      if (isNamed(child, 'tr')) {
        if (isHead && found.head === undefined && found.rows.length === 0) found.head = child
        else found.rows.push(child)
      } else if (isNamed(child, 'thead')) open(child.children, true)
      else if (isNamed(child, 'tbody') || isNamed(child, 'tfoot')) open(child.children, isHead)
      else if (!(isNamed(child, 'colgroup') || (child.type === 'text' && child.value.trim() === ''))) {
        found.others.push(child)
      }
    }
  }
  open(node.children, false)
  const [first] = found.rows
  const isHead =
    first?.children.some(child => isNamed(child, 'th')) && !first.children.some(child => isNamed(child, 'td'))
  if (found.head === undefined && isHead) found.head = found.rows.shift()
  return found
}

/** Where each cell of a table begins, given the column and row spans of other cells. */
function place(rows: readonly Element[]): Row[] {
  /** How many more rows of each column a cell from above takes. */
  const taken: number[] = []
  return rows.map(row => {
    const placed: Placed[] = []
    let column = 0
    const skip = (): void => {
      for (let left = taken[column] ?? 0; left > 0; left = taken[column] ?? 0) taken[column++] = left - 1
    }
    for (const cell of row.children) {
      if (!isCell(cell)) continue
      skip()
      const begin = Math.min(column, COLUMNS_MAX - 1)
      placed.push({ cell, column: begin })
      const end = Math.min(column + spanOf(cell, 'colspan'), COLUMNS_MAX)
      const rowspan = spanOf(cell, 'rowspan')
      for (; column < end; column++) taken[column] = rowspan - 1
    }
    while (column < taken.length) {
      skip()
      column++
    }
    return placed
  })
}

const spanOf = ({ attributes }: Element, name: string): number => {
  const span = Number(attributes[name])
  return Number.isSafeInteger(span) && span >= 1 ? Math.min(span, COLUMNS_MAX) : 1
}

function viewOf(
  node: Element,
  heads: Row,
  definitions: readonly Definition[],
  hasHead: boolean,
): BlockData<'table'>['view'] {
  const isHead = (cell: Node, name: string) => cell.type === 'element' && isOn(cell.attributes[name])
  const columnOf = (name: string): string | undefined => {
    const head = heads.find(({ cell }) => isHead(cell, name))
    return head && definitions[head.column]?.id
  }
  const isYes = (name: string) => isOn(node.attributes[name]) || undefined
  const hidden = new Set(heads.flatMap(({ cell, column }) => (isHead(cell, 'data-hidden') ? [column] : [])))
  const columns = definitions.flatMap((one, index) => (hidden.has(index) ? [] : [one.id]))
  const { view, cardSize } = readAttributes(dataAttributes(node), TABLE_ATTRIBUTES)
  if (view === 'cards')
    return defined({
      type: 'cards',
      cardSize,
      columns,
      targetDefinition: columnOf('data-card-target'),
      coverDefinition: columnOf('data-card-cover'),
      coverDefinitionDark: columnOf('data-card-cover-dark'),
      hideColumnTitle: isYes('data-column-title-hidden'),
      wrap: isYes('data-wrap'),
    } as const)
  const widths = heads.flatMap(({ cell, column }): [string, number][] => {
    const width = cell.type === 'element' ? Number(cell.attributes.width) : Number.NaN
    const id = definitions[column]?.id
    return id !== undefined && width > 0 && Number.isFinite(width) ? [[id, width]] : []
  })
  return defined({
    type: 'grid',
    columns,
    ...(widths.length === 0 ? {} : { columnWidths: Object.fromEntries(widths), useNewSizing: true }),
    hideHeader: !hasHead || isOn(node.attributes['data-header-hidden']),
    stickyHeader: isYes('data-sticky-header'),
    stickyFirstColumn: isYes('data-sticky-first-column'),
  } as const)
}
