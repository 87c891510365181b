// Figures on paper, side by side.
import { elementsOf, type WriteBlock } from '../../typeset/typesetting.ts'

export const figures: WriteBlock<'figures'> = (_, node, writing) => {
  const each = elementsOf(node.children)
  return [{ kind: 'row', shares: each.map(() => 1), cells: each.map(figure => writing.blocks([figure])) }]
}
