// Images that stand by themselves: figures as GitBook writes them, and drawings.
import {
  type Block,
  type BlockData,
  type BlockOf,
  type Inline,
  type Text,
  text,
} from '../document/document.ts'
import { type HtmlPart, htmlOf } from './html-line.ts'
import { pictureHtml } from './inlines.ts'
import { htmlAttribute } from './quoting.ts'
import type { Rendering } from './rendering.ts'
import { isEmptyLine } from './spans.ts'

type Images = BlockOf<'images'>
type Image = BlockOf<'image'>

/** One figure, or several side by side, in one line of HTML. Empty where there is no image. */
export const imagesHtml = (images: Images, rendering: Rendering): string =>
  htmlOf(imagesParts(images, rendering), rendering)

export function imagesParts({ data, nodes }: Images, rendering: Rendering): HtmlPart[] {
  const figures = (nodes as Image[])
    .map(image => figureParts(image, rendering))
    .filter(parts => parts.length > 0)
  const sides = [
    ...(data.align === undefined ? [] : [htmlAttribute('align', data.align)]),
    ...(data.fullWidth ? ['data-full-width="true"'] : []),
    ...(data.withFrame ? ['data-with-frame="true"'] : []),
  ]
  if (figures.length === 0) return []
  if (figures.length === 1 && sides.length === 0) return figures[0]!
  const parts = figures.flatMap((figure, index) => (index === 0 ? figure : [' ', ...figure]))
  return [`<${['div', ...sides].join(' ')}>`, ...parts, '</div>']
}

function figureParts({ data, fragments }: Image, rendering: Rendering): HtmlPart[] {
  const src = rendering.write(data.ref)
  const caption = captionParts(fragments?.flatMap(one => one.nodes) ?? [])
  // An image that leads nowhere is what it would say.
  if (src === undefined)
    return caption.length > 0 || !data.alt ? caption : ['<p>', { line: [text(data.alt)] }, '</p>']
  const dark = data.refDark === undefined ? undefined : rendering.write(data.refDark)
  const attributes = [htmlAttribute('src', src), htmlAttribute('alt', data.alt ?? '')]
  for (const side of ['width', 'height'] as const) {
    const length = lengthText(data[side])
    if (length !== undefined) attributes.push(htmlAttribute(side, length))
  }
  const picture = pictureHtml(`<img ${attributes.join(' ')}>`, dark)
  return [`<figure>${picture}<figcaption>`, ...caption, '</figcaption></figure>']
}

function captionParts(blocks: readonly Block[]): HtmlPart[] {
  return blocks.flatMap((one): HtmlPart[] => {
    const line = (one.nodes ?? []) as (Text | Inline)[]
    return isEmptyLine(line) ? [] : ['<p>', { line }, '</p>']
  })
}

/** Pixels as a number, per cent with their sign; undefined for what HTML has no notation for. */
export function lengthText(length: BlockData<'column'>['width']): string | undefined {
  const { value, unit } =
    typeof length === 'number' ? { value: length, unit: 'px' } : (length ?? { value: -1, unit: '' })
  const digits = String(value)
  if (!/^\d{1,7}(?:\.\d{1,20})?$/.test(digits)) return undefined
  return unit === '%' ? `${digits}%` : unit === 'px' ? digits : undefined
}

/** A drawing is a picture that GitBook can open again. */
export function drawingHtml({ data }: BlockOf<'drawing'>, rendering: Rendering): string {
  const src = data.ref === undefined ? undefined : rendering.write(data.ref)
  return src === undefined ? '' : `<img ${htmlAttribute('src', src)} alt="" class="gitbook-drawing">`
}
