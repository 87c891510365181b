// A table as it is meant: its columns, as the head describes them, and its cells, each in the column that it begins in.
// Every output of a page takes this.
import { defined } from '../../../../base/objects.ts'
import { type AttributesOf, readAttributes } from '../../schema/schema.ts'
import {
  dataAttributes,
  type Element,
  isCell,
  isNamed,
  type Node,
  type Table as PipeTable,
  plainLine,
  type TableCell,
} from '../../syntax/syntax.ts'
import {
  CELL_ATTRIBUTES,
  CELL_DATA,
  COLUMN_DATA,
  OPTION_ATTRIBUTES,
  SELECT_ATTRIBUTES,
  TABLE_DATA,
} from './schema.ts'

/** In wider tables, the last column holds the remaining cells. No cell spans more columns or rows. */
const COLUMNS_MAX = 200
const OPTIONS_MAX = 500

/** A table between pipes, or a `<table>`. */
export type TableNode = PipeTable | Element

export type Table = {
  readonly data: AttributesOf<typeof TABLE_DATA>
  readonly columns: readonly Column[]
  readonly head: Row | undefined
  readonly rows: readonly Row[]
  /** What stands between the rows of an HTML table or between their cells, such as a caption. */
  readonly others: readonly Node[]
}

export type Row = readonly Cell[]

type CellLook = AttributesOf<typeof CELL_ATTRIBUTES> & AttributesOf<typeof CELL_DATA>

export type Cell = CellLook & {
  readonly node: TableCell | Element
  /** Its content; in a head without the options of the column. */
  readonly children: readonly Node[]
  /** The index of the column that it begins in. */
  readonly column: number
}

export type Column = AttributesOf<typeof COLUMN_DATA> &
  Pick<CellLook, 'align' | 'verticalAlignment' | 'width'> & {
    readonly head: Cell | undefined
    readonly options: readonly SelectOption[]
  }

export type SelectOption = {
  readonly value: string
  readonly label: string
  readonly color: string | undefined
}

export const readTable = (node: TableNode): Table =>
  node.type === 'table' ? readPipeTable(node) : readHtmlTable(node)

/** Its first row is the head, and its columns hold words. */
function readPipeTable(node: PipeTable): Table {
  const [head, ...rows] = node.children.map(({ children }) =>
    children.map(
      (cell, index): Cell => ({
        ...NO_LOOK,
        node: cell,
        children: cell.children,
        column: Math.min(index, COLUMNS_MAX - 1),
      }),
    ),
  )
  const columns = readColumns(head, rows).map((column, index) => {
    const align = node.align[index]
    return align == null ? column : { ...column, align }
  })
  return { data: readAttributes({}, TABLE_DATA), columns, head, rows, others: [] }
}

/** GitBook's form for what pipes cannot express: widths, types, cards. */
function readHtmlTable(node: Element): Table {
  const { found, others } = rowsIn(node)
  const inHead = found.findIndex(one => one.isHead)
  const [first] = found
  const isHeads = first?.row.children.some(isCell) && first.row.children.every(one => !isNamed(one, 'td'))
  const headAt = inHead < 0 && isHeads ? 0 : inHead
  const heads = headAt < 0 ? [] : found.slice(headAt, headAt + 1)
  const [head] = placeCells(heads, ({ children }) => children.filter(child => !isNamed(child, 'select')))
  const rows = placeCells(
    found.filter((_, index) => index !== headAt),
    ({ children }) => children,
  )
  const data = readAttributes(dataAttributes(node), TABLE_DATA)
  return { data, columns: readColumns(head, rows), head, rows, others }
}

/** The index of the first column with a role in cards; -1 if there is none. */
export const columnOf = ({ columns }: Table, role: 'isTarget' | 'isCover' | 'isDarkCover'): number =>
  columns.findIndex(column => column[role])

type FoundRow = { readonly row: Element; readonly isHead: boolean }

const SECTIONS: ReadonlySet<string> = new Set(['thead', 'tbody', 'tfoot'])

/** The rows of a table, without those of nested tables, and whatever is not in a cell. */
function rowsIn(table: Element): { found: FoundRow[]; others: Node[] } {
  const found: FoundRow[] = []
  const others: Node[] = []
  const open = (nodes: readonly Node[], isHead: boolean): void => {
    for (const node of nodes)
      if (isNamed(node, 'tr')) {
        found.push({ row: node, isHead })
        for (const child of node.children) if (!isCell(child) && !isBlank(child)) others.push(child)
      } else if (node.type === 'element' && SECTIONS.has(node.name))
        open(node.children, isHead || node.name === 'thead')
      else if (!isNamed(node, 'colgroup') && !isBlank(node)) others.push(node)
  }
  open(table.children, false)
  return { found, others }
}

const isBlank = (node: Node): boolean => node.type === 'text' && node.value.trim() === ''

/** Where each cell begins, given the column and row spans of other cells. */
function placeCells(rows: readonly FoundRow[], contentOf: (cell: Element) => readonly Node[]): Row[] {
  /** How many more rows of each column a cell from above takes. */
  const taken: number[] = []
  return rows.map(({ row }) => {
    const placed: Cell[] = []
    let column = 0
    const skip = (): void => {
      for (let left = taken[column] ?? 0; left > 0; left = taken[column] ?? 0) taken[column++] = left - 1
    }
    for (const node of row.children) {
      if (!isCell(node)) continue
      skip()
      const look = lookOf(node)
      placed.push({ ...look, node, children: contentOf(node), column: Math.min(column, COLUMNS_MAX - 1) })
      const end = Math.min(column + look.columns, COLUMNS_MAX)
      for (; column < end; column++) taken[column] = look.rows - 1
    }
    while (column < taken.length) {
      skip()
      column++
    }
    return placed
  })
}

const NO_LOOK: CellLook = { columns: 1, rows: 1 }

function lookOf({ attributes }: Element): CellLook {
  if (Object.keys(attributes).length === 0) return NO_LOOK
  const look = {
    ...readAttributes(attributes, CELL_ATTRIBUTES),
    ...readAttributes(dataAttributes({ attributes }), CELL_DATA),
  }
  const { columns, rows } = look
  return { ...look, columns: Math.min(columns, COLUMNS_MAX), rows: Math.min(rows, COLUMNS_MAX) }
}

/** As many columns as there are cells beside each other; the last of those that begin in one describes it. */
function readColumns(head: Row = [], rows: readonly Row[]): Column[] {
  let width = 0
  for (const row of [head, ...rows]) for (const { column } of row) width = Math.max(width, column + 1)
  const heads = new Map(head.map(cell => [cell.column, cell]))
  return Array.from({ length: width }, (_, index) => readColumn(heads.get(index)))
}

const NO_COLUMN = readAttributes({}, COLUMN_DATA)

function readColumn(head: Cell | undefined): Column {
  if (head?.node.type !== 'element') return { ...NO_COLUMN, head, options: [] }
  const selects = head.node.children.filter(child => isNamed(child, 'select'))
  const data = readAttributes(dataAttributes(head.node), COLUMN_DATA)
  const isMultiple =
    data.isMultiple || selects.some(one => readAttributes(one.attributes, SELECT_ATTRIBUTES).isMultiple)
  const { align, verticalAlignment, width } = head
  return {
    ...data,
    ...(selects.length === 0 ? {} : { type: 'select' }),
    ...defined({ isMultiple, align, verticalAlignment, width }),
    head,
    options: selects.flatMap(select => select.children.flatMap(readOption)).slice(0, OPTIONS_MAX),
  }
}

function readOption(node: Node): SelectOption[] {
  if (!isNamed(node, 'option')) return []
  const { label = plainLine(node.children), color } = readAttributes(node.attributes, OPTION_ATTRIBUTES)
  const { value = label } = node.attributes
  return [{ value, label: label || value, color }]
}
