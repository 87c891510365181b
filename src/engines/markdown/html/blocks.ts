// Blocks as HTML.
import { drawLineImages, drawTable } from '../blocks/html.ts'
import type { Block, List, ListItem, Paragraph } from '../syntax/syntax.ts'
import { type Child, el, type Hast, text } from './build.ts'
import { renderCode } from './code.ts'
import { renderMarkup } from './elements.ts'
import { renderHeading } from './headings.ts'
import { renderFormula } from './math.ts'
import type { Scope } from './scope.ts'
import { asScroller } from './scrollers.ts'

export function renderBlock(node: Block, scope: Scope): Child {
  switch (node.type) {
    case 'paragraph':
      return renderParagraph(node, scope)
    case 'heading':
      return renderHeading(node, scope)
    case 'thematicBreak':
      return el('hr')
    case 'blockquote':
      return el('blockquote', {}, scope.blocks(node.children))
    case 'list':
      return renderList(node, scope)
    case 'code':
      return renderCode(node, {}, scope)
    case 'math':
      return el(
        'div.math-block',
        { ...asScroller('Formula', scope), draws: { name: 'formula' } },
        renderFormula(node, scope),
      )
    case 'table':
      return drawTable(node, scope)
    case 'tag':
    case 'element':
    case 'html':
      return renderMarkup(node, scope)
    case 'yaml':
    case 'definition':
    case 'footnoteDefinition':
      return null
  }
}

/** Pictures alone in their paragraph are figures. Paragraphs that show nothing are left out. */
function renderParagraph(node: Paragraph, scope: Scope): Child {
  const figures = drawLineImages(node.children, scope)
  if (figures !== undefined) return figures
  const inside = scope.inlines(node.children)
  return inside.length === 0 ? null : el('p', {}, inside)
}

function renderList(node: List, scope: Scope): Hast {
  const isTasks = node.children.some(item => item.checked !== null)
  return el(
    node.ordered ? 'ol' : 'ul',
    { start: node.start !== 1 && node.start, className: isTasks && 'tasks' },
    node.children.map(item => renderItem(item, node.spread, scope)),
  )
}

/** In a tight list there is no space between the paragraphs of an item: only their lines are shown. */
function renderItem(item: ListItem, isSpread: boolean, scope: Scope): Hast {
  const isLoose = isSpread || item.spread
  const inside = item.children.flatMap((child, index): Child[] =>
    child.type === 'paragraph' && !isLoose
      ? [index > 0 && text(' '), scope.inlines(child.children)]
      : [scope.blocks([child])],
  )
  if (item.checked === null) return el('li', {}, inside)
  const box = el('input', {
    type: 'checkbox',
    disabled: true,
    checked: item.checked,
    ariaLabel: item.checked ? 'Done' : 'To do',
  })
  return el('li.task', { draws: { name: 'task', isDone: item.checked } }, box, inside)
}
