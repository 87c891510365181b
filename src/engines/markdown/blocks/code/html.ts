// What a tag says of the code in it.
import { type DrawBlock, el, renderCode } from '../../html/drawing.ts'
import { toBlocks } from '../../syntax/syntax.ts'
import { isCode } from './reading.ts'

/** Without code in it, its title stands above what it holds. */
export const code: DrawBlock<'code'> = ({ data, tag }, scope) => {
  const inside = toBlocks(tag.children)
  return [
    data.title !== undefined && !inside.some(isCode) && el('p', {}, el('strong', {}, data.title)),
    inside.map(node => (isCode(node) ? renderCode(node, data, scope) : scope.blocks([node]))),
  ]
}
