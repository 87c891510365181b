// Conditional content in a rich document. Only the document itself may hold it; deeper it stays as it is written (see
// document/schema-fitting.ts).
import { block, orEmpty, type ReadBlock } from '../../document/converting.ts'

export const condition: ReadBlock<'if'> = ({ data, tag }, conversion) => [
  block('if', data, { nodes: orEmpty(conversion.blocks(tag.children)) }),
]
