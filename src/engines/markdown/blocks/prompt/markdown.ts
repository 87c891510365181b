// A prompt as Markdown.
import { blocksIn } from '../../document/document.ts'
import { type BlockRenderers, tagged } from '../../render/tagging.ts'

export const prompt = {
  prompt: (block, rendering) => tagged('prompt', block.data, rendering.blocks(blocksIn(block))),
} satisfies BlockRenderers
