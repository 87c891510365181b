// Tabs that need no script: a radio button and a label before each panel, in one wrapping row.
import type { Node, Tag } from '../ast.ts'
import { chosenIcon, el, type Hast } from './build.ts'
import { iconName, words } from './names.ts'
import { isBlank } from './pictures.ts'
import type { Scope } from './scope.ts'

/** Tabs take their ids after every heading has its own, so a link to a heading never ends at a tab. */
const toSlug = (title: string): string =>
  title
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 80)

export function renderTabs(tabs: Tag, scope: Scope): Hast {
  const group = scope.nextNumber()
  const items = tabs.children.filter(child => !isBlank(child))
  return el(
    'div',
    { className: 'tabs', role: 'group', ariaLabel: 'Tabs' },
    items.flatMap((item, index) => renderTab(item, { group, index }, scope)),
  )
}

function renderTab(item: Node, { group, index }: { group: number; index: number }, scope: Scope): Hast[] {
  const tab = item.type === 'tag' && item.name === 'tab' ? item : undefined
  const title = words(tab?.attributes.title) ?? `Tab ${index + 1}`
  const name = iconName(tab?.attributes.icon)
  const inside = tab?.children ?? [item]
  const body = scope.blocks(inside)
  const [only] = body
  const isCode =
    body.length === 1 &&
    only?.type === 'element' &&
    only.tagName === 'figure' &&
    hasClass(only.properties.className, 'code')
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
        className: isCode ? ['tab-panel', 'flow', 'is-code'] : ['tab-panel', 'flow'],
        id: panelId(words(tab?.attributes.slug) ?? title, scope) ?? null,
        role: 'group',
        ariaLabelledBy: `${inputId}.label`,
      },
      body,
    ),
  ]
}

const hasClass = (value: unknown, name: string): boolean =>
  value === name || (Array.isArray(value) && value.includes(name))

const panelId = (title: string, scope: Scope): string | undefined => {
  const slug = toSlug(title)
  return slug === ''
    ? undefined
    : (scope.claimId(slug) ??
        scope.claimId(`tab-${slug}`) ??
        scope.claimId(`tab-${slug}-${scope.nextNumber()}`))
}
