// Tabs as Markdown.
import { type BlockRenderers, container } from '../../render/tagging.ts'

export const tabs = {
  tabs: ({ data, nodes }, rendering) => container('tabs', data, 'tab', nodes, rendering),
} satisfies BlockRenderers
