// A block of an integration in a rich document: the attributes are its properties.
import { block, type ReadBlock } from '../../document/converting.ts'
import { captionOf } from '../../reading/reading.ts'

export const integration: ReadBlock<'integration'> = (card, conversion) => {
  const { data, tag } = card
  const [integration = '', name = ''] = tag.name.slice(1).split('/')
  return [
    block('integration', { integration, block: name, props: { ...tag.attributes }, ...data }),
    ...conversion.blocks(captionOf(card, data.url)),
  ]
}
