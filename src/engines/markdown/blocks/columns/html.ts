// Columns side by side.

import { type DrawBlock, el } from '../../html/drawing.ts'
import { itemsOf } from '../../reading/reading.ts'
import type { Length } from '../../schema/schema.ts'

const COLUMN_UNITS = 24
const COLUMN_UNITS_MIN = 3

/** Widths become spans of a 24-part grid, so that no inline style is needed. Columns without one share the rest. */
export const columns: DrawBlock<'columns'> = (block, scope) => {
  const { items, rest } = itemsOf(block)
  if (items.length === 0) return el('div', {}, scope.blocks(rest))
  const wanted = items.map(({ data }) => shareOf(data.width))
  const used = wanted.reduce<number>((sum, width) => sum + (width ?? 0), 0)
  const left = Math.max(0, 100 - used) / Math.max(1, wanted.filter(width => width === undefined).length)
  const shares = wanted.map(width => {
    const units = Math.round(((width ?? left) / 100) * COLUMN_UNITS)
    return items.length === 1
      ? COLUMN_UNITS
      : Math.min(COLUMN_UNITS - COLUMN_UNITS_MIN, Math.max(COLUMN_UNITS_MIN, units))
  })
  const drawn = el(
    'div.columns',
    { draws: { name: 'columns', shares } },
    items.map(({ data, tag }, index) => {
      const span = `span-${shares[index]}`
      return el(
        'div',
        { className: ['column', 'flow', span, data.verticalAlignment] },
        scope.blocks(tag.children),
      )
    }),
  )
  return [drawn, scope.blocks(rest)]
}

export const column: DrawBlock<'column'> = ({ tag }, scope) => scope.blocks(tag.children)

/** The part of a hundred that a column asks for; other widths than percentages are not shown. */
function shareOf(width: Length | undefined): number | undefined {
  if (typeof width !== 'object' || width.unit !== '%') return undefined
  return width.value > 0 && width.value <= 100 ? width.value : undefined
}
