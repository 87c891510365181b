// Tables: between pipes if those can express everything, else as HTML.
import { htmlTable } from './html-tables.ts'
import { pipeTable } from './pipe-tables.ts'
import type { Lines, Rendering } from './rendering.ts'
import { gridOf, type Table } from './table-grid.ts'

export function renderTable(table: Table, rendering: Rendering): Lines {
  const grid = gridOf(table)
  if (grid.columns.length === 0) return []
  const style = rendering.tableStyle(table)
  const isHtml = style !== undefined && style.widths === undefined
  return (isHtml ? undefined : pipeTable(grid, rendering, style)) ?? htmlTable(grid, rendering)
}
