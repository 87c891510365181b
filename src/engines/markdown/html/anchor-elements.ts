// `<a>` and `<button>` in content: a link, a button, a mention, or a place to link to.
import { type Button, questionOf, readAnchor } from '../reading/reading.ts'
import type { Element } from '../syntax/syntax.ts'
import { type Child, chosenIcon, el, type Hast } from './build.ts'
import { renderLink, renderMention, renderPlainLink, resolve } from './links.ts'
import { iconName } from './names.ts'
import type { Scope } from './scope.ts'

export function renderAnchor(node: Element, scope: Scope): Child {
  const id = scope.takeId(node)
  const place = id === undefined ? undefined : el('span', { id })
  return [place, renderWords(node, scope.inlines(node.children), scope)]
}

function renderWords(node: Element, inside: readonly Hast[], scope: Scope): Child {
  const link = readAnchor(node)
  switch (link.kind) {
    case 'button':
      return renderButton(link.button, node, inside, scope)
    case 'footnote':
      return [inside, scope.page.footnotes.mark(link.identifier)]
    case 'mention':
      return renderMention(link.href, node, inside, scope)
    case 'link':
      return renderPlainLink(link.href, null, node, inside, scope)
    case 'words':
      return inside
  }
}

/** One that asks or searches leads to the reader's search with its words. Where nothing can be done, it is its words. */
function renderButton(button: Button, node: Element, inside: readonly Hast[], scope: Scope): Child {
  const question = questionOf(button)
  const target =
    button.href !== undefined
      ? resolve(scope, button.href, 'button', node)
      : question !== undefined && scope.options.resolveSearch?.(question)
  if (!target) return inside
  const name = iconName(button.icon)
  return renderLink(
    target,
    ['button', !button.isSecondary && 'button-primary'],
    name !== undefined && chosenIcon(name),
    el('span', {}, inside),
  )
}
