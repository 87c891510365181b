// Pictures as blocks of the document.
import { defined } from '../../../../base/objects.ts'
import {
  type Block,
  type BlockOf,
  block,
  type Conversion,
  fragment,
  paragraph,
  readLine,
  text,
  type Words,
} from '../../document/converting.ts'
import type { Picture } from '../../reading/reading.ts'
import type { Element, Node } from '../../syntax/syntax.ts'
import { type Figure, type Images, isPicture, readFigures, readLineImages } from './reading.ts'

/** The pictures of a line that holds nothing else; undefined for any other line. */
export function lineImagesOf(line: readonly Node[], conversion: Conversion): Block[] | undefined {
  const images = readLineImages(line)
  return images && blocksOf(images, conversion)
}

/** A figure, or a box of figures; undefined for a box that holds anything else. */
export function figuresOf(node: Element, conversion: Conversion): Block[] | undefined {
  const images = readFigures(node)
  return images && blocksOf(images, conversion)
}

/** The pictures, then the rest of what the figures hold. */
function blocksOf(images: Images, conversion: Conversion): Block[] {
  const drawing = drawingOf(images, conversion)
  if (drawing !== undefined) return [drawing]
  const { node: _, figures, ...look } = images
  const nodes = figures.flatMap(figure => imagesIn(figure, conversion))
  const rest = figures.flatMap(({ content, caption }) => [
    ...content.flatMap(one => (isPicture(one) ? [] : one)),
    ...(content.some(isPicture) || typeof caption === 'string' ? [] : caption),
  ])
  return [...(nodes.length === 0 ? [] : [block('images', look, { nodes })]), ...conversion.blocks(rest)]
}

/** A drawing alone, outside of a figure; one without a file is an image. */
function drawingOf(
  { figures: [figure, ...others], align }: Images,
  conversion: Conversion,
): Block | undefined {
  const [picture] = figure?.content ?? []
  if (others.length > 0 || align !== undefined || figure?.caption !== '') return undefined
  if (picture === undefined || !isPicture(picture) || picture.node !== figure.node || !picture.isDrawing)
    return undefined
  const ref = conversion.media(picture.src)
  return ref.kind === 'file' ? block('drawing', { ref }) : undefined
}

/** The last picture of a figure carries its caption. */
function imagesIn({ content, caption }: Figure, conversion: Conversion): BlockOf<'image'>[] {
  const pictures = content.filter(isPicture)
  return pictures.map((picture, index) => {
    const said = index === pictures.length - 1 ? caption : (picture.title ?? '')
    return imageOf(picture, typeof said === 'string' ? words(said) : readLine(said, conversion), conversion)
  })
}

const words = (title: string): Words => (title === '' ? [] : [text(title)])

function imageOf(picture: Picture, caption: Words, conversion: Conversion): BlockOf<'image'> {
  const { src, dark, alt, width, height } = picture
  const data = defined({ ...conversion.picture(src, dark), alt: alt || undefined, width, height })
  return block(
    'image',
    data,
    caption.length === 0 ? {} : { fragments: [fragment('caption', [paragraph(caption)])] },
  )
}
