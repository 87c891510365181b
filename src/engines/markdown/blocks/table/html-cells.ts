// What the cells of an HTML table show, depending on what its head says about their column.
import {
  el,
  type Hast,
  icon,
  optionChip,
  paperClass,
  renderLink,
  resolve,
  type Scope,
  targetMark,
  unseen,
} from '../../html/drawing.ts'
import { childrenOf } from '../../syntax/syntax.ts'
import { type CellLink, contentOf, labelledContent } from './cells.ts'
import type { Cell, Column } from './reading.ts'

/** What a cell shows, by the type of its column; cards show the same. */
export function drawCell(cell: Cell, column: Column, scope: Scope): Hast[] {
  const content = contentOf(cell, column)
  switch (content.kind) {
    case 'checkbox':
      return [
        content.isChecked
          ? el('span.checkmark', { draws: { name: 'checkmark' } }, icon('check'), unseen('Yes'))
          : unseen('No'),
      ]
    case 'number':
      if (column.type === 'rating') return [rating(content.number ?? 0, column.max)]
      return content.number === null ? [] : scope.lineOrBlocks(cell.children)
    case 'options':
      return content.options.map(({ words, option }) =>
        optionChip(paperClass(option?.color), option?.label ?? words),
      )
    case 'links':
      return column.type === 'content-ref' || column.type === 'files'
        ? content.links.map(link => reference(link, column.type === 'files', scope))
        : scope.lineOrBlocks(cell.children)
    case 'words':
      return scope.lineOrBlocks(labelledContent(cell, column))
  }
}

const STARS_MAX = 10

function rating(value: number, most: number): Hast {
  const max = Math.min(most, STARS_MAX)
  const stars = Math.min(Math.max(0, Math.round(value)), max)
  return el(
    'span.rating',
    { role: 'img', ariaLabel: `${stars} of ${max}` },
    '★'.repeat(stars) + '☆'.repeat(max - stars),
  )
}

/** A link in a reference column: its text is often only a file name, and the target has a better label. */
function reference({ node, destination }: CellLink, isFile: boolean, scope: Scope): Hast {
  const target = resolve(scope, destination, isFile ? 'file' : 'content-ref', node)
  const label = target.label ?? target.title
  const mark = targetMark(target) ?? (isFile ? icon('paperclip') : undefined)
  return renderLink(target, ['reference'], mark, mark && ' ', label ?? scope.inlines(childrenOf(node)))
}
