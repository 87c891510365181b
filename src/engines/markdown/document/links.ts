// Links, mentions, images and emojis in a line, in any notation.
import { defined } from '../../../base/objects.ts'
import { type Element, isNamed, type Node, renderEmoji } from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import { Line } from './line.ts'
import { inline } from './model.ts'
import type { Style } from './style.ts'

/** A mention's words come from its destination; any other label makes it a link. */
export const isDerived = (label: string, destination: string): boolean =>
  label === 'Broken link' || destination.toLowerCase().includes(label.toLowerCase())

/** Puts a link in a line; a link within a link splits it. */
export function putLink(
  children: readonly Node[],
  destination: string,
  line: Line,
  style: Style,
  conversion: Conversion,
): void {
  const inner = new Line()
  conversion.write(children, inner, { ...style, isLinked: true })
  if (inner.isEmpty) inner.write(destination, style.marks)
  inner.linkTo(conversion.reference(destination))
  line.append(inner)
}

type ImageAttributes = {
  readonly src: string
  readonly alt: string | undefined
  readonly title: string | undefined
  readonly size?: string | undefined
  /** Its twin for dark mode. */
  readonly dark?: string | undefined
}

export function putImage(image: ImageAttributes, line: Line, conversion: Conversion): void {
  const data = {
    ...conversion.picture(image.src, image.dark),
    alt: image.alt || undefined,
    caption: image.title || undefined,
    size: (['line', 'original'] as const).find(size => size === image.size),
  }
  line.put(inline('inline-image', defined(data)))
}

/** What follows an address in a `srcset`; the address itself may hold spaces. */
const DENSITY = /\s{1,10}\d{1,6}(?:\.\d{1,6})?[wx](?:,|$).*/s

/** The address of the dark image in a `<picture>`; the first of several densities. */
export function darkTwin(picture: Element): string | undefined {
  const isDark = (child: Node): child is Element =>
    isNamed(child, 'source') && (child.attributes.media ?? '').includes('dark')
  const srcset = picture.children.find(isDark)?.attributes.srcset?.trim()
  return srcset === undefined || srcset === '' ? undefined : srcset.replace(DENSITY, '')
}

/** An emoji; in a link, which cannot hold one, its character as text. */
export function putEmoji(code: string, line: Line, style: Style): void {
  if (style.isLinked) line.write(renderEmoji(code) ?? '', style.marks)
  else line.put(inline('emoji', { code }))
}
