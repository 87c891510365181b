// A link as a card, as Markdown; nothing if it leads nowhere.
import { type BlockRenderers, linkLine, tagged } from '../../render/tagging.ts'

export const contentRef = {
  'content-ref': ({ data }, rendering) => {
    const url = rendering.write(data.ref)
    return url === undefined ? [] : tagged('content-ref', { url }, [linkLine(url)])
  },
} satisfies BlockRenderers
