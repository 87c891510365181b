// A prompt holds one block of code; with anything else inside, it becomes its description and its content.
import { block, type ReadBlock, titled } from '../../document/converting.ts'

export const prompt: ReadBlock<'prompt'> = ({ data, tag }, conversion) => {
  const nodes = conversion.blocks(tag.children)
  if (nodes.length === 1 && nodes[0]?.type === 'code') return [block('prompt', data, { nodes })]
  return [...titled(data.description), ...nodes]
}
