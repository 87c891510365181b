// Content that several pages share, in place.
import type { DrawBlock } from '../../html/drawing.ts'

export const include: DrawBlock<'include'> = ({ data: { path }, tag }, scope) => [
  path !== undefined && scope.include(path, tag),
  scope.blocks(tag.children),
]
