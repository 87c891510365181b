// An expandable, as the browser's own.
import { el, type Hast, type Scope } from '../../html/drawing.ts'
import type { Element } from '../../syntax/syntax.ts'
import { readExpandable } from './reading.ts'

export function drawExpandable(node: Element, scope: Scope): Hast {
  const { title, body, isOpen } = readExpandable(node)
  const words = scope.inlines(title)
  return el(
    'details',
    { className: 'expandable', open: isOpen, id: scope.takeId(node) },
    el('summary', {}, words.length > 0 ? words : 'Details'),
    el('div.flow', {}, scope.blocks(body)),
  )
}
