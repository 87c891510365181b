// Schemas of an API description.
import { type DrawBlock, el, namesShown, renderPart } from '../../html/drawing.ts'

export const schemas: DrawBlock<'openapi-schemas'> = (block, scope) =>
  renderPart(block, scope, [
    el('span.method', { draws: { name: 'chip', ground: undefined } }, 'SCHEMA'),
    namesShown(block.data.schemas).map(name => el('code', {}, name)),
  ])
