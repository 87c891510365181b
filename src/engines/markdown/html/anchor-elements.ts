// `<a>` in content: a link, a button, a mention, or a place to link to.
import { type Element, hasClass } from '../syntax/syntax.ts'
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
  if (destination === undefined || destination === '') return [place, inside]
  // A heading's own anchor is an empty link to itself: the heading already has the id.
  if (inside.length === 0 && destination.startsWith('#')) return place
  if (hasClass(node, 'button')) return [place, button(node, destination, inside, scope)]
  if (attributes['data-mention'] !== undefined) return [place, mention(node, destination, inside, scope)]
  return [place, renderLink(resolve(scope, destination, 'link', node), [], inside)]
}

function button(node: Element, destination: string, inside: readonly Hast[], scope: Scope): Hast {
  const name = iconName(node.attributes['data-icon'])
  return renderLink(
    resolve(scope, destination, 'button', node),
    ['button', !hasClass(node, 'secondary') && 'button-primary'],
    name !== undefined && chosenIcon(name),
    el('span', {}, inside),
  )
}

function mention(node: Element, destination: string, inside: readonly Hast[], scope: Scope): Hast {
  const target = resolve(scope, destination, 'mention', node)
  const mark = targetMark(target)
  return renderLink(target, ['mention'], mark, mark && ' ', target.label ?? inside)
}
