// Steps on paper.
import { directionOf, elementsOf, partOf, textOf, type WriteBlock } from '../../typeset/typesetting.ts'

/** The template numbers them in place of their icons. */
export const stepper: WriteBlock<'stepper'> = (_, node, writing) => [
  {
    kind: 'steps',
    dir: directionOf(textOf(node.children)),
    items: elementsOf(node.children).map(step => {
      const id = writing.takeId(step)
      const inside = partOf(step, 'inside')
      return {
        ...(id === undefined ? {} : { id }),
        inside: writing.blocks(inside === undefined ? [] : [inside]),
      }
    }),
  },
]
