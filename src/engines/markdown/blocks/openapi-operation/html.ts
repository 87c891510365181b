// An operation of an API description.
import { type DrawBlock, el, methodBadge, renderPart } from '../../html/drawing.ts'

export const operation: DrawBlock<'openapi-operation'> = (block, scope) => {
  const { method, path = '' } = block.data
  return renderPart(block, scope, [methodBadge(method), el('code', { dir: 'ltr' }, path)])
}
