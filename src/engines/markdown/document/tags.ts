// GitBook's tags as blocks of the model: each block reads itself, and a variable is an expression. A tag that GitBook does not have is kept as text.
import { blockOf } from '../reading/reading.ts'
import { type Element, type Tag, variableOf, writtenTag } from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import { variableInline } from './inlines.ts'
import { type Block, paragraph, text } from './model.ts'

/** `node` is a tag, or the element that stands for one. */
export function readTag(node: Tag | Element, tag: Tag, conversion: Conversion): Block[] {
  const variable = variableOf(tag)
  if (variable !== undefined) return [paragraph([variableInline(variable)])]
  const block = blockOf(node)
  if (block !== undefined) return conversion.read(block)
  conversion.problem('unknown_tag', tag, `{% ${tag.name} %} is not a tag of GitBook and is kept as text`)
  const [open, close] = writtenTag(tag)
  return [
    paragraph([text(open)]),
    ...conversion.blocks(tag.children),
    ...(close === '' ? [] : [paragraph([text(close)])]),
  ]
}
