// Blocks that lay out others: steps below one another, columns side by side.
import type { Tag } from '../syntax/syntax.ts'
import { chosenIcon, el, type Hast } from './build.ts'
import { iconName, percent, verticalClass, words } from './names.ts'
import { isBlank } from './pictures.ts'
import type { Scope } from './scope.ts'

export function renderStepper(tag: Tag, scope: Scope): Hast {
  const steps = tag.children
    .filter(child => !isBlank(child))
    .map(child => {
      const step = child.type === 'tag' && child.name === 'step' ? child : undefined
      const name = iconName(step?.attributes.icon)
      return el(
        'li',
        { id: step && scope.takeId(step), className: ['step', name && 'has-icon'] },
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
  const columns = tag.children.filter(
    (child): child is Tag => child.type === 'tag' && child.name === 'column',
  )
  if (columns.length === 0) return el('div', {}, scope.blocks(tag.children))
  const wanted = columns.map(column => percent(words(column.attributes.width)))
  const used = wanted.reduce<number>((sum, width) => sum + (width ?? 0), 0)
  const rest = Math.max(0, 100 - used) / Math.max(1, wanted.filter(width => width === undefined).length)
  return el(
    'div.columns',
    {},
    columns.map((column, index) => {
      const share = ((wanted[index] ?? rest) / 100) * COLUMN_UNITS
      const units = Math.min(COLUMN_UNITS - COLUMN_UNITS_MIN, Math.max(COLUMN_UNITS_MIN, Math.round(share)))
      const { valign, verticalAlignment } = column.attributes
      const span = `span-${columns.length === 1 ? COLUMN_UNITS : units}`
      const className = ['column', 'flow', span, verticalClass(valign ?? verticalAlignment)]
      return el('div', { className }, scope.blocks(column.children))
    }),
  )
}
