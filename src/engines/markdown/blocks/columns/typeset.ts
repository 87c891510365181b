// Columns on paper, side by side as well.
import { elementsOf, type WriteBlock } from '../../typeset/typesetting.ts'

export const columns: WriteBlock<'columns'> = ({ shares }, node, writing) => [
  { kind: 'row', shares, cells: elementsOf(node.children).map(column => writing.blocks(column.children)) },
]
