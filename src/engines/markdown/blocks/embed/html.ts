// Something on the web, as a link; a player is loaded by a click.
import { captioned, type DrawBlock, embedCard } from '../../html/drawing.ts'
import { captionOf } from '../../reading/reading.ts'

export const embed: DrawBlock<'embed'> = (card, scope) => {
  const { url } = card.data
  const caption = scope.blocks(captionOf(card, url))
  return url === undefined ? caption : captioned(embedCard(url, card.tag, scope), caption)
}
