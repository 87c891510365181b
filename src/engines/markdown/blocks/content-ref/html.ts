// A link as a card.
import { captioned, type DrawBlock, lastSegment, renderLinkCard, resolve } from '../../html/drawing.ts'
import { captionOf } from '../../reading/reading.ts'
import { addressOf } from './address.ts'

export const contentRef: DrawBlock<'content-ref'> = (card, scope) => {
  const url = addressOf(card)
  const caption = scope.blocks(captionOf(card, url))
  if (url === undefined) return caption
  const target = resolve(scope, url, 'content-ref', card.tag)
  const drawn = renderLinkCard({
    target,
    kind: 'content-ref',
    icon: 'file-lines',
    title: target.label ?? lastSegment(url).replace(/\.md$/i, ''),
    text: target.description,
  })
  return captioned(drawn, caption)
}
