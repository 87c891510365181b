// One picture, in Markdown or in HTML.
import { defined } from '../../../base/objects.ts'
import { type Length, oneOf, parseLength, readAttributes } from '../schema/schema.ts'
import { type Element, hasClass, type Image, isNamed, type Node } from '../syntax/syntax.ts'

export type Picture = {
  readonly node: Image | Element
  readonly src: string
  /** Empty where it says nothing. */
  readonly alt: string
  readonly title?: string
  /** Its twin for dark mode. */
  readonly dark?: string
  readonly width?: Length
  readonly height?: Length
  /** In a line: as high as the line, or as large as its file. */
  readonly size?: 'line' | 'original'
  /** Whether it has a size for a line, and so is part of one even if nothing else is. */
  readonly isInLine: boolean
  /** Whether the file's editor can open it again. */
  readonly isDrawing: boolean
}

const SIZES = { size: oneOf(['original', 'line']) } as const

/** `![alt](src "title")`, `<img>`, or the `<img>` of a `<picture>`; undefined for any other node. */
export function pictureOf(node: Node): Picture | undefined {
  if (node.type === 'image') {
    const { url: src, alt, title } = node
    return defined({ node, src, alt, title: filled(title), isInLine: false, isDrawing: false })
  }
  const img = isNamed(node, 'picture') ? node.children.find(child => isNamed(child, 'img')) : node
  if (node.type !== 'element' || img === undefined || !isNamed(img, 'img')) return undefined
  const { src = '', alt = '', title, width, height, 'data-size': size } = img.attributes
  return defined({
    node,
    src,
    alt,
    title: filled(title),
    dark: darkTwin(node),
    width: parseLength(width),
    height: parseLength(height),
    size: readAttributes({ size: size ?? '' }, SIZES).size,
    isInLine: size !== undefined,
    isDrawing: hasClass(img, 'gitbook-drawing') && alt === '',
  })
}

const filled = (words: string | null | undefined): string | undefined =>
  words === null || words === undefined || words.trim() === '' ? undefined : words

/** What follows an address in a `srcset`; the address itself may hold spaces. */
const DENSITY = /\s{1,10}\d{1,6}(?:\.\d{1,6})?[wx](?:,|$).*/s

/** The address of the dark image in a `<picture>`; the first of several densities. */
function darkTwin(picture: Element): string | undefined {
  const isDark = (child: Node): child is Element =>
    isNamed(child, 'source') &&
    (child.attributes.media ?? '').toLowerCase().replace(/\s+/g, '').includes('prefers-color-scheme:dark')
  return filled(picture.children.find(isDark)?.attributes.srcset?.trim())?.replace(DENSITY, '')
}
