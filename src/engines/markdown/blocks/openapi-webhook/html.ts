// A webhook of an API description.
import { type DrawBlock, el, methodBadge, renderPart } from '../../html/drawing.ts'

export const webhook: DrawBlock<'openapi-webhook'> = (block, scope) => {
  const { method, name = '' } = block.data
  return renderPart(block, scope, [methodBadge(method), el('code', { dir: 'ltr' }, name)])
}
