// Columns in a rich document.
import { type ReadBlock, readItems } from '../../document/converting.ts'

export const columns: ReadBlock<'columns'> = (container, conversion) =>
  readItems(container, conversion, ['columns', 'column'], ({ data }) => ({ data }))

export const column: ReadBlock<'column'> = ({ tag }, conversion) => conversion.blocks(tag.children)
