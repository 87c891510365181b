// An endpoint that is written out, in a rich document: its parts one after the other, each with its title.
import { type ReadBlock, titled } from '../../document/converting.ts'
import { addressOf, titleOf } from './words.ts'

export const endpoint: ReadBlock<'endpoint'> = ({ data, tag }, conversion) => [
  ...titled(addressOf(data)),
  ...titled(titleOf(data)),
  ...conversion.blocks(tag.children),
]
