// A file as Markdown; nothing if it leads nowhere.
import { type BlockRenderers, single } from '../../render/tagging.ts'

export const file = {
  file: ({ data }, rendering) => {
    const src = rendering.write(data.ref)
    return src === undefined ? [] : single('file', { src })
  },
} satisfies BlockRenderers
