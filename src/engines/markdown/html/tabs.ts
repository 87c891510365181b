// Tabs that need no script: a radio button and a label before each panel, in one wrapping row.
import { readAttributes, TAG_ATTRIBUTES, tagNamed } from '../attributes/attributes.ts'
import type { Node, Tag } from '../syntax/syntax.ts'
import { chosenIcon, el, type Hast } from './build.ts'
import { iconName } from './names.ts'
import { isBlank } from './pictures.ts'
import type { Scope } from './scope.ts'

export function renderTabs(tabs: Tag, scope: Scope): Hast {
  const group = scope.nextNumber()
  const items = tabs.children.filter(child => !isBlank(child))
  return el(
    'div.tabs',
    { role: 'group', ariaLabel: 'Tabs' },
    items.flatMap((item, index) => renderTab(item, { group, index }, scope)),
  )
}

function renderTab(item: Node, { group, index }: { group: number; index: number }, scope: Scope): Hast[] {
  const tab = tagNamed(item, 'tab')
  const { title = `Tab ${index + 1}`, icon } = readAttributes(
    tab?.attributes ?? {},
    TAG_ATTRIBUTES['tabs-item'],
  )
  const name = iconName(icon)
  const inside = tab?.children ?? [item]
  const body = scope.blocks(inside)
  const [only, ...others] = body
  const isCode =
    others.length === 0 &&
    only?.type === 'element' &&
    only.tagName === 'figure' &&
    [only.properties.className].flat().includes('code')
  const inputId = `tab:${group}.${index}`
  return [
    el('input', {
      type: 'radio',
      name: `tabs:${group}`,
      id: inputId,
      className: 'unseen',
      checked: index === 0,
    }),
    el(
      'label',
      { htmlFor: inputId, id: `${inputId}.label` },
      name !== undefined && [chosenIcon(name), ' '],
      title,
    ),
    el(
      'div',
      {
        className: ['tab-panel', 'flow', isCode && 'is-code'],
        id: scope.takeId(item),
        role: 'group',
        ariaLabelledBy: `${inputId}.label`,
      },
      body,
    ),
  ]
}
