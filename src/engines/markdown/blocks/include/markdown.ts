// Content that several pages share, as Markdown; nothing if there is none.

import type { BlockRenderers } from '../../render/tagging.ts'
import { inOneLine } from '../../syntax/syntax.ts'

export const include = {
  'reusable-content': ({ data }, rendering) => {
    const path = rendering.write(data.ref)
    if (path === undefined) return []
    const line = inOneLine(path)
    return [`{% include ${line.includes('"') ? `'${line}'` : `"${line}"`} %}`]
  },
} satisfies BlockRenderers
