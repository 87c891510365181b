// `<a>` and `<button>` in content: a link, a button, a mention, or a place to link to.
import { type Button, buttonOf, questionOf } from '../attributes/attributes.ts'
import type { Element } from '../syntax/syntax.ts'
import { type Child, chosenIcon, el, type Hast } from './build.ts'
import { renderLink, resolve, targetMark } from './links.ts'
import { iconName } from './names.ts'
import type { Scope } from './scope.ts'

export function renderAnchor(node: Element, scope: Scope): Child {
  const { attributes } = node
  const destination = attributes.href
  const id = scope.takeId(node)
  const place = id === undefined ? undefined : el('span', { id })
  const inside = scope.inlines(node.children)
  const button = buttonOf(node)
  if (button !== undefined) return [place, renderButton(button, node, inside, scope)]
  if (destination === undefined || destination === '') return [place, inside]
  // A heading's own anchor is an empty link to itself: the heading already has the id.
  if (inside.length === 0 && destination.startsWith('#')) return place
  if (attributes['data-mention'] !== undefined) return [place, mention(node, destination, inside, scope)]
  return [place, renderLink(resolve(scope, destination, 'link', node), [], inside)]
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

function mention(node: Element, destination: string, inside: readonly Hast[], scope: Scope): Hast {
  const target = resolve(scope, destination, 'mention', node)
  const mark = targetMark(target)
  return renderLink(target, ['mention'], mark, mark && ' ', target.label ?? inside)
}
