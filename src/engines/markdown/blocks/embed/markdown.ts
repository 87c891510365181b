// Something on the web as Markdown.
import { type BlockRenderers, single } from '../../render/tagging.ts'

export const embed = {
  embed: ({ data }) => single('embed', data),
} satisfies BlockRenderers
