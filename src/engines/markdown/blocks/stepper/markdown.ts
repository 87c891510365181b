// Steps as Markdown.
import { type BlockRenderers, container } from '../../render/tagging.ts'

export const stepper = {
  stepper: ({ data, nodes }, rendering) => container('stepper', data, 'step', nodes, rendering),
} satisfies BlockRenderers
