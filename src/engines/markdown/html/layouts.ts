// Blocks that lay out others: steps below one another, columns side by side.
import { type Length, readAttributes, TAG_ATTRIBUTES, tagNamed } from '../attributes/attributes.ts'
import type { Tag } from '../syntax/syntax.ts'
import { chosenIcon, el, type Hast } from './build.ts'
import { iconName } from './names.ts'
import { isBlank } from './pictures.ts'
import type { Scope } from './scope.ts'

export function renderStepper(tag: Tag, scope: Scope): Hast {
  const steps = tag.children
    .filter(child => !isBlank(child))
    .map(child => {
      const step = tagNamed(child, 'step')
      const name = iconName(readAttributes(step?.attributes ?? {}, TAG_ATTRIBUTES['stepper-step']).icon)
      return el(
        'li',
        { id: step && scope.takeId(child), className: ['step', name && 'has-icon'] },
        name !== undefined && chosenIcon(name, 'step-icon'),
        el('div.flow', {}, scope.blocks(step?.children ?? [child])),
      )
    })
  return el('ol.stepper', { role: 'list' }, steps)
}

const COLUMN_UNITS = 24
const COLUMN_UNITS_MIN = 3

/** Widths become spans of a 24-part grid, so that no inline style is needed. Columns without one share the rest. */
export function renderColumns(tag: Tag, scope: Scope): Hast {
  const columns = tag.children.flatMap(child => tagNamed(child, 'column') ?? [])
  if (columns.length === 0) return el('div', {}, scope.blocks(tag.children))
  const looks = columns.map(({ attributes }) => readAttributes(attributes, TAG_ATTRIBUTES.column))
  const wanted = looks.map(({ width }) => shareOf(width))
  const used = wanted.reduce<number>((sum, width) => sum + (width ?? 0), 0)
  const rest = Math.max(0, 100 - used) / Math.max(1, wanted.filter(width => width === undefined).length)
  return el(
    'div.columns',
    {},
    columns.map((column, index) => {
      const share = ((wanted[index] ?? rest) / 100) * COLUMN_UNITS
      const units = Math.min(COLUMN_UNITS - COLUMN_UNITS_MIN, Math.max(COLUMN_UNITS_MIN, Math.round(share)))
      const span = `span-${columns.length === 1 ? COLUMN_UNITS : units}`
      const className = ['column', 'flow', span, looks[index]?.verticalAlignment]
      return el('div', { className }, scope.blocks(column.children))
    }),
  )
}

/** The part of a hundred that a column asks for; other widths than percentages are not shown. */
function shareOf(width: Length | undefined): number | undefined {
  if (typeof width !== 'object' || width.unit !== '%') return undefined
  return width.value > 0 && width.value <= 100 ? width.value : undefined
}
