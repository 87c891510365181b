// Steps, one below another.

import { chosenIcon, type DrawBlock, el, iconName } from '../../html/drawing.ts'
import { itemsOf } from '../../reading/reading.ts'

export const stepper: DrawBlock<'stepper'> = (block, scope) => {
  const { items, rest } = itemsOf(block)
  const steps = items.map(({ data, tag, node }) => {
    const name = iconName(data.icon)
    return el(
      'li',
      { id: scope.takeId(node), className: ['step', name && 'has-icon'] },
      name !== undefined && chosenIcon(name, 'step-icon'),
      el(
        'div.flow',
        { part: 'inside' },
        data.title !== undefined && el('p', {}, el('strong', {}, data.title)),
        scope.blocks(tag.children),
      ),
    )
  })
  return [
    steps.length > 0 && el('ol.stepper', { role: 'list', draws: { name: 'stepper' } }, steps),
    scope.blocks(rest),
  ]
}

/** Outside of steps, its title stands above its content. */
export const step: DrawBlock<'step'> = ({ data: { title }, tag }, scope) => [
  title !== undefined && el('p', {}, el('strong', {}, title)),
  scope.blocks(tag.children),
]
