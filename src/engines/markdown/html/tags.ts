// GitBook's `{% tags %}`: each block draws itself. A tag that GitBook does not have is shown as it is written.
import { blockOf } from '../reading/reading.ts'
import { type Element, type Tag, variableOf, writtenTag } from '../syntax/syntax.ts'
import { type Child, el } from './build.ts'
import { variableText } from './phrasing-elements.ts'
import type { Scope } from './scope.ts'

/** `node` is a tag, or the element that stands for one. */
export function renderTag(node: Tag | Element, tag: Tag, scope: Scope): Child {
  const variable = variableOf(tag)
  if (variable !== undefined)
    return tag.isInline ? variableText(variable, scope) : el('p', {}, variableText(variable, scope))
  const block = blockOf(node)
  if (block !== undefined) return scope.draw(block)
  scope.report(
    'unknown_tag',
    tag.name,
    `There is no block called ${tag.name.slice(0, 60)}; it is shown as it is written`,
    tag,
  )
  const [open, close] = writtenTag(tag)
  if (tag.isInline) return [open, scope.inlines(tag.children), close]
  return [el('p', {}, open), scope.blocks(tag.children), close !== '' && el('p', {}, close)]
}
