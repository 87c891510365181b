// Something on the web in a rich document.
import { block, type ReadBlock } from '../../document/converting.ts'
import { captionOf } from '../../reading/reading.ts'

export const embed: ReadBlock<'embed'> = (card, conversion) => {
  const { url, ...look } = card.data
  const caption = conversion.blocks(captionOf(card, url))
  return url === undefined ? caption : [block('embed', { url, ...look }), ...caption]
}
