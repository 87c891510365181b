// Inlines as HTML.
import { type Inline, type Link, linkedFootnote, renderEmoji, splitEmojis } from '../syntax/syntax.ts'
import { type Child, el } from './build.ts'
import { renderMarkup } from './elements.ts'
import { idOfUse } from './footnotes.ts'
import { renderLink, resolve } from './links.ts'
import { renderFormula } from './math.ts'
import { renderImage } from './pictures.ts'
import type { Scope } from './scope.ts'

export function renderInline(node: Inline, scope: Scope): Child {
  switch (node.type) {
    case 'text':
      return renderWords(node.value)
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
    case 'image':
      return renderImage(node, scope)
    case 'footnoteReference':
      return renderFootnoteReference(node.identifier, node.label, scope)
    case 'tag':
    case 'element':
    case 'html':
      return renderMarkup(node, scope)
  }
}

const EMPHASIS = { emphasis: 'em', strong: 'strong', delete: 'del' } as const

/** Words, and the emojis that they name: `:rocket:`. An emoji is text: a screen reader names it in its own language. */
function renderWords(words: string): Child {
  return splitEmojis(words).map(part =>
    'text' in part ? part.text : el('span.emoji', {}, renderEmoji(part.code) ?? ''),
  )
}

/** An annotation is written as a link to its own footnote, followed by the footnote mark: only the mark leads there. */
function renderInlineLink(node: Link, scope: Scope): Child {
  if (linkedFootnote(node.url) !== undefined) return scope.inlines(node.children)
  const title = node.title ?? undefined
  // `[@name](mention…)`: GitBook marks mentions by the link's title.
  const target = resolve(scope, node.url, title === 'mention' ? 'mention' : 'link', node)
  if (title === 'mention')
    return renderLink(target, ['mention'], target.label ?? scope.inlines(node.children))
  return renderLink(title === undefined ? target : { ...target, title }, [], scope.inlines(node.children))
}

function renderFootnoteReference(identifier: string, label: string, scope: Scope): Child {
  const footnote = scope.page.footnotes.use(identifier)
  if (footnote === undefined) return `[^${label}]`
  const { number, use } = footnote
  const look = { href: `#fn:${number}`, id: idOfUse(number, use), ariaLabel: `Footnote ${number}` }
  return el('sup', {}, el('a', look, String(number)))
}
