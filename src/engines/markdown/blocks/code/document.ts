// What a tag says of the code in it.
import { type ReadBlock, titled } from '../../document/converting.ts'
import { toBlocks } from '../../syntax/syntax.ts'
import { isCode } from './reading.ts'

/** Without code in it, its title stands above what it holds. */
export const code: ReadBlock<'code'> = ({ data, tag }, conversion) => {
  const inside = toBlocks(tag.children)
  return [
    ...(inside.some(isCode) ? [] : titled(data.title)),
    ...inside.flatMap(node => {
      const blocks = conversion.blocks([node])
      if (!isCode(node)) return blocks
      return blocks.map(one => (one.type === 'code' ? { ...one, data: { ...one.data, ...data } } : one))
    }),
  ]
}
