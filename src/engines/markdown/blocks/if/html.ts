// Content under a condition: it asks about a visitor whom the reader does not know yet, so it is shown with its condition.
import { type DrawBlock, el } from '../../html/drawing.ts'

const CHARACTERS_MAX = 300

export const condition: DrawBlock<'if'> = ({ data: { expression }, tag }, scope) => {
  const shown = el('code', {}, expression.slice(0, CHARACTERS_MAX) || 'true')
  const label = el('p.condition-label', {}, 'Shown when ', shown)
  return el('div.condition', { draws: { name: 'if' } }, label, scope.blocks(tag.children))
}
