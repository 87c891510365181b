// Images on lines of their own: figures as GitBook writes them, and drawings.
import { type Block, type BlockOf, lineIn, text } from '../../document/document.ts'
import {
  asLines,
  type BlockRenderers,
  type HtmlPart,
  htmlOf,
  isEmptyLine,
  type Lines,
  on,
  pictureHtml,
  type Rendering,
  startTag,
} from '../../render/tagging.ts'
import { renderLength } from '../../schema/schema.ts'

type Images = BlockOf<'images'>
type Image = BlockOf<'image'>

/** One figure, or several side by side, in one line of HTML; no part if there is no image. */
export function imagesParts({ data, nodes = [] }: Images, rendering: Rendering): HtmlPart[] {
  const figures = nodes.map(image => figureParts(image, rendering)).filter(parts => parts.length > 0)
  const [first, ...others] = figures
  if (first === undefined) return []
  const look = {
    align: data.align,
    'data-full-width': on(data.fullWidth),
    'data-with-frame': on(data.withFrame),
  }
  const hasLook = Object.values(look).some(one => one !== undefined)
  if (others.length === 0 && !hasLook) return first
  return [startTag('div', look), ...first, ...others.flatMap(figure => [' ', ...figure]), '</div>']
}

function figureParts({ data, fragments }: Image, rendering: Rendering): HtmlPart[] {
  const src = rendering.write(data.ref)
  const caption = captionParts(fragments?.flatMap(one => one.nodes) ?? [])
  // An image that leads nowhere becomes its caption, or else its alternative text.
  if (src === undefined)
    return caption.length > 0 || !data.alt ? caption : ['<p>', { line: [text(data.alt)] }, '</p>']
  const dark = data.refDark === undefined ? undefined : rendering.write(data.refDark)
  const { alt = '', width, height } = data
  const img = startTag('img', { src, alt, width: renderLength(width), height: renderLength(height) })
  const picture = pictureHtml(img, dark)
  return [`<figure>${picture}<figcaption>`, ...caption, '</figcaption></figure>']
}

function captionParts(blocks: readonly Block[]): HtmlPart[] {
  return blocks.flatMap((one): HtmlPart[] => {
    const line = lineIn(one)
    return isEmptyLine(line) ? [] : ['<p>', { line }, '</p>']
  })
}

/** A drawing is a picture that GitBook can open again. */
function writeDrawing({ data }: BlockOf<'drawing'>, rendering: Rendering): Lines {
  const src = data.ref === undefined ? undefined : rendering.write(data.ref)
  return src === undefined ? [] : [startTag('img', { src, alt: '', class: 'gitbook-drawing' })]
}

export const images = {
  images: (block, rendering) => asLines(htmlOf(imagesParts(block, rendering), rendering)),
  drawing: writeDrawing,
} satisfies BlockRenderers
