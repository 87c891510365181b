// Conditional content as Markdown.

import type { BlockRenderers } from '../../render/tagging.ts'
import { inOneLine } from '../../syntax/syntax.ts'

export const condition = {
  // A tag ends at the first `%}` that is not between quotes.
  if: ({ data, nodes }, rendering) => [
    `{% if ${inOneLine(data.expression)
      .trim()
      .replace(/%(?=\})/g, '% ')} %}`,
    ...rendering.blocks(nodes),
    '{% endif %}',
  ],
} satisfies BlockRenderers
