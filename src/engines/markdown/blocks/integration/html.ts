// A block that an outside program draws. The reader can only show its address.
import { type DrawBlock, el, embedCard, icon } from '../../html/drawing.ts'
import { captionOf } from '../../reading/reading.ts'

const NAME_MAX = 80

export const integration: DrawBlock<'integration'> = (card, scope) => {
  const { data, tag } = card
  const { url } = data
  const inside = scope.blocks(captionOf(card, url))
  if (url !== undefined) return [embedCard(url, tag, scope), inside]
  if (inside.length > 0) return inside
  const name = tag.name.slice(1, NAME_MAX).split('/')[0] ?? ''
  return el(
    'p.absent',
    {},
    icon('puzzle-piece'),
    ' A block of the integration ',
    el('code', {}, name),
    ' belongs here; this version does not run integrations.',
  )
}
