// A changelog as Markdown.
import { type BlockRenderers, container } from '../../render/tagging.ts'

export const updates = {
  updates: ({ data, nodes }, rendering) => container('updates', data, 'update', nodes, rendering),
} satisfies BlockRenderers
