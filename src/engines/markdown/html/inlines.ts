// Inlines as HTML.
import { pictureOf, readLink } from '../reading/reading.ts'
import { type Inline, type Link, renderEmoji, splitEmojis, splitExpressions } from '../syntax/syntax.ts'
import { type Child, el } from './build.ts'
import { renderMarkup } from './elements.ts'
import { renderMention, renderPlainLink } from './links.ts'
import { renderFormula } from './math.ts'
import { renderExpression } from './phrasing-elements.ts'
import { drawPictureInLine } from './pictures.ts'
import type { Scope } from './scope.ts'

export function renderInline(node: Inline, scope: Scope): Child {
  switch (node.type) {
    case 'text':
      return renderWords(node.value, scope)
    case 'emphasis':
    case 'strong':
    case 'delete':
      return el(EMPHASIS[node.type], {}, scope.inlines(node.children))
    case 'inlineCode':
      return el('code', {}, node.value)
    case 'inlineMath':
      return el('span.math', {}, renderFormula(node, scope))
    case 'break':
      return el('br')
    case 'link':
      return renderInlineLink(node, scope)
    case 'image': {
      const picture = pictureOf(node)
      return picture && drawPictureInLine(picture, scope)
    }
    case 'footnoteReference':
      return scope.page.footnotes.mark(node.identifier) ?? `[^${node.label}]`
    case 'tag':
    case 'element':
    case 'html':
      return renderMarkup(node, scope)
  }
}

const EMPHASIS = { emphasis: 'em', strong: 'strong', delete: 'del' } as const

/** Words, with the emojis and the values that they name: `:rocket:`, `{{ space.vars.name }}`. */
function renderWords(words: string, scope: Scope): Child {
  if (!words.includes('{{')) return withEmojis(words)
  return splitExpressions(words).map(part =>
    'text' in part ? withEmojis(part.text) : renderExpression(part.expression, scope),
  )
}

/** An emoji is text: a screen reader names it in its own language. */
function withEmojis(words: string): Child {
  if (!words.includes(':')) return words
  return splitEmojis(words).map(part =>
    'text' in part ? part.text : el('span.emoji', {}, renderEmoji(part.code) ?? ''),
  )
}

function renderInlineLink(node: Link, scope: Scope): Child {
  const link = readLink(node)
  const inside = scope.inlines(node.children)
  switch (link.kind) {
    case 'words':
    case 'button':
      return inside
    case 'mention':
      return renderMention(link.href, node, inside, scope)
    case 'footnote':
      if (!scope.page.footnotes.has(link.identifier))
        return renderPlainLink(node.url, null, node, inside, scope)
      // Its mark usually follows, and only the mark leads to the footnote.
      return [inside, !scope.page.marked.has(node) && scope.page.footnotes.mark(link.identifier)]
    case 'link':
      return renderPlainLink(link.href, node.title === 'mention' ? null : node.title, node, inside, scope)
  }
}
