// Tabs that need no script: a radio button and a label before each panel, in one wrapping row.

import { chosenIcon, type DrawBlock, el, type Hast, iconName, type Scope } from '../../html/drawing.ts'
import { itemsOf, type TagBlock } from '../../reading/reading.ts'

export const tabs: DrawBlock<'tabs'> = (block, scope) => {
  const { items, rest } = itemsOf(block)
  if (items.length === 0) return scope.blocks(rest)
  const group = scope.nextNumber()
  const drawn = el(
    'div.tabs',
    { role: 'group', ariaLabel: 'Tabs', draws: { name: 'tabs' } },
    items.flatMap((item, index) => drawTab(item, { group, index }, scope)),
  )
  return [drawn, scope.blocks(rest)]
}

/** Outside of tabs, its title stands above its content. */
export const tab: DrawBlock<'tab'> = ({ data: { title }, tag }, scope) => [
  title !== undefined && el('p', {}, el('strong', {}, title)),
  scope.blocks(tag.children),
]

function drawTab(
  { data, tag, node }: TagBlock<'tab'>,
  { group, index }: { group: number; index: number },
  scope: Scope,
): Hast[] {
  const { title = `Tab ${index + 1}`, icon } = data
  const name = iconName(icon)
  const body = scope.blocks(tag.children)
  const [only, ...others] = body
  const isCode = others.length === 0 && only?.type === 'element' && only.data?.drawn?.name === 'code'
  const inputId = `tab:${group}.${index}`
  return [
    el('input', {
      type: 'radio',
      name: `tabs:${group}`,
      id: inputId,
      className: 'unseen',
      draws: { name: 'screen' },
      checked: index === 0,
    }),
    el(
      'label',
      { htmlFor: inputId, id: `${inputId}.label`, part: 'title' },
      name !== undefined && [chosenIcon(name), ' '],
      title,
    ),
    el(
      'div',
      {
        className: ['tab-panel', 'flow', isCode && 'is-code'],
        id: scope.takeId(node),
        part: 'inside',
        role: 'group',
        ariaLabelledBy: `${inputId}.label`,
      },
      body,
    ),
  ]
}
