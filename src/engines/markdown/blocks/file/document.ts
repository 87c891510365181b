// A file in a rich document; a missing one is a link.
import { block, linkTo, type ReadBlock } from '../../document/converting.ts'
import { captionOf } from '../../reading/reading.ts'

export const file: ReadBlock<'file'> = (card, conversion) => {
  const { src } = card.data
  const caption = conversion.blocks(captionOf(card, src))
  if (src === undefined) return caption
  const ref = conversion.referenceOf('file', src, 'file')
  if (ref !== undefined) return [block('file', { ref }), ...caption]
  conversion.problem('unresolved', card.tag, `no file was found for ${src.slice(0, 200)}`)
  return [linkTo(conversion, src), ...caption]
}
