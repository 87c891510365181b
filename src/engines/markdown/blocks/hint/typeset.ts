// A hint on paper.
import { directionOf, partOf, textOf, type WriteBlock } from '../../typeset/typesetting.ts'

/** The template draws the icon of its style. */
export const hint: WriteBlock<'hint'> = ({ style }, node, writing) => {
  const inside = partOf(node, 'inside')
  return [
    {
      kind: 'note',
      style,
      dir: directionOf(textOf(node.children)),
      inside: writing.blocks(inside === undefined ? [] : [inside]),
    },
  ]
}
