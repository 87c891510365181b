// Tables: between pipes if those can express everything, else as HTML.
import type { BlockRenderers, Lines, Rendering } from '../../render/tagging.ts'
import { gridOf, type Table } from './markdown-grid.ts'
import { htmlTable } from './markdown-html.ts'
import { pipeTable } from './markdown-pipes.ts'

function write(table: Table, rendering: Rendering): Lines {
  const grid = gridOf(table)
  if (grid.columns.length === 0) return []
  const style = rendering.tableStyle(table)
  const isHtml = style !== undefined && style.widths === undefined
  return (isHtml ? undefined : pipeTable(grid, rendering, style)) ?? htmlTable(grid, rendering)
}

export const table = { table: write } satisfies BlockRenderers
