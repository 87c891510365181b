// A changelog in a rich document.
import { dateAndTags, type ReadBlock, readItems, titled } from '../../document/converting.ts'

export const updates: ReadBlock<'updates'> = (container, conversion) =>
  readItems(container, conversion, ['updates', 'update'], ({ data }) => ({ data }))

export const update: ReadBlock<'update'> = ({ data, tag }, conversion) => [
  ...titled(dateAndTags(data)),
  ...conversion.blocks(tag.children),
]
