// Steps in a rich document.
import { type ReadBlock, readItems, titled } from '../../document/converting.ts'

export const stepper: ReadBlock<'stepper'> = (container, conversion) =>
  readItems(container, conversion, ['stepper', 'stepper-step'], ({ data }) => ({ data }))

export const step: ReadBlock<'step'> = ({ data, tag }, conversion) => [
  ...titled(data.title),
  ...conversion.blocks(tag.children),
]
