// Columns as Markdown.
import { type BlockRenderers, container } from '../../render/tagging.ts'

export const columns = {
  columns: ({ data, nodes }, rendering) => container('columns', data, 'column', nodes, rendering),
} satisfies BlockRenderers
