// Figures, alone and in rows.

import { alignedTo, type Child, drawPicture, el, type Hast, type Scope } from '../../html/drawing.ts'
import type { Picture } from '../../reading/reading.ts'
import type { Element, Node } from '../../syntax/syntax.ts'
import { type Figure, type Images, readFigures, readLineImages } from './reading.ts'

/** The pictures of a line that holds nothing else; undefined for any other line. */
export function drawLineImages(line: readonly Node[], scope: Scope): Hast | undefined {
  const images = readLineImages(line)
  return images && drawImages(images, scope)
}

/** A figure, or a box of figures; undefined for a box that holds anything else. */
export function drawFigures(node: Element, scope: Scope): Hast | undefined {
  const images = readFigures(node)
  return images && drawImages(images, scope)
}

function drawImages({ node, align, fullWidth, withFrame, figures }: Images, scope: Scope): Hast {
  const id = scope.takeId(node)
  const classes = ['figure', align && `align-${align}`, withFrame && 'framed']
  const wide = fullWidth && 'full-width'
  const [only, ...others] = figures.map(figure =>
    el(
      'figure',
      {
        className: figures.length === 1 ? [...classes, wide] : classes,
        draws: alignedTo(align),
        id: scope.takeId(figure.node),
      },
      figure.content.map(one => drawContent(one, scope)),
      drawCaption(figure.caption, scope),
    ),
  )
  if (only === undefined || others.length > 0)
    return el('div', { id, className: ['figures', wide], draws: { name: 'figures' } }, only, others)
  if (id !== undefined) only.properties.id = id
  return only
}

const drawContent = (one: Picture | readonly Node[], scope: Scope): Child =>
  'src' in one ? drawPicture(one, scope) : scope.blocks(one)

function drawCaption(caption: Figure['caption'], scope: Scope): Child {
  const words = typeof caption === 'string' ? caption : scope.lineOrBlocks(caption)
  return words.length > 0 && el('figcaption', {}, words)
}
