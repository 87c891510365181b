// A hint in a rich document; what it may not hold comes out between its parts.
import { block, heldBy, orEmpty, type ReadBlock, wrapRuns } from '../../document/converting.ts'

export const hint: ReadBlock<'hint'> = ({ data, tag }, conversion) =>
  wrapRuns(orEmpty(conversion.blocks(tag.children)), heldBy('hint'), nodes => block('hint', data, { nodes }))
