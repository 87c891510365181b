// A file to download.
import { captioned, type DrawBlock, lastSegment, renderLinkCard, resolve } from '../../html/drawing.ts'
import { captionOf } from '../../reading/reading.ts'

export const file: DrawBlock<'file'> = (file, scope) => {
  const { src } = file.data
  const caption = scope.blocks(captionOf(file, src))
  if (src === undefined) return caption
  const target = resolve(scope, src, 'file', file.tag)
  const card = renderLinkCard({
    target,
    kind: 'file',
    icon: 'file',
    title: target.label ?? lastSegment(src),
    text: target.description ?? 'File',
    says: 'Download',
  })
  return captioned(card, caption)
}
