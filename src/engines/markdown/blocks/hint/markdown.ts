// A hint as Markdown.
import { blocksIn } from '../../document/document.ts'
import { type BlockRenderers, tagged } from '../../render/tagging.ts'

export const hint = {
  hint: (block, rendering) => tagged('hint', block.data, rendering.blocks(blocksIn(block))),
} satisfies BlockRenderers
