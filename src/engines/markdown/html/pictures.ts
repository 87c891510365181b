// Pictures: in a line, as figures with a caption, with a twin for dark themes.
import { isOn } from '../attributes/attributes.ts'
import { isBrokenReference } from '../page/page.ts'
import { childrenOf, type Element, type Image, isNamed, type Node } from '../syntax/syntax.ts'
import { el, type Hast, icon } from './build.ts'
import { safeSource } from './destinations.ts'
import { alignClass, percent, pixels } from './names.ts'
import type { Scope } from './scope.ts'

interface Picture {
  readonly source: string
  readonly dark?: string | undefined
  readonly alt: string
  readonly width?: string | undefined
  readonly height?: string | undefined
  /** `line` is as high as its line, `original` as large as its file. */
  readonly size?: string | undefined
}

export const renderImage = (node: Image, scope: Scope): Hast[] =>
  draw({ source: node.url, alt: node.alt }, ['inline-image'], scope, node)

/** `<img>` in a line, or alone. */
export function renderImgElement(node: Element, scope: Scope): Hast[] {
  const picture = readImg(node)
  const classes = picture.size === 'line' ? ['inline-image', 'line'] : ['inline-image']
  return draw(picture, classes, scope, node)
}

/** `![alt](src "caption")` alone in its paragraph. */
export const renderImageFigure = (node: Image, scope: Scope): Hast =>
  el(
    'figure.figure',
    {},
    draw({ source: node.url, alt: node.alt }, [], scope, node),
    node.title !== null && node.title !== '' && el('figcaption', {}, node.title),
  )

/** `<figure>`: a picture (with a dark twin in `<picture>`), and a caption. Its other children are kept. */
export function renderFigure(node: Element, scope: Scope, extra: readonly (string | undefined)[] = []): Hast {
  const caption = node.children.find(child => isNamed(child, 'figcaption'))
  const rest = node.children.filter(child => child !== caption)
  const align = alignClass(node.attributes.align)
  const words = caption === undefined ? [] : scope.lineOrBlocks(childrenOf(caption))
  return el(
    'figure',
    { className: ['figure', align, ...extra] },
    rest.map(child => pictureOf(child, scope) ?? scope.blocks([child])),
    words.length > 0 && el('figcaption', {}, words),
  )
}

/** `<div align="left" data-full-width="true" data-with-frame="true"><figure>…`: one figure or a row of them. */
export function renderFigures(node: Element, scope: Scope): Hast | undefined {
  const figures = node.children.filter(child => isNamed(child, 'figure'))
  const others = node.children.filter(child => !isNamed(child, 'figure') && !isBlank(child))
  if (figures.length === 0 || others.length > 0) return undefined
  const align = alignClass(node.attributes.align)
  const extra = [align, isOn(node.attributes['data-with-frame']) ? 'framed' : undefined]
  const drawn = figures.map(figure => renderFigure(figure, scope, extra))
  return drawn.length === 1 ? drawn[0] : el('div.figures', {}, drawn)
}

/** `<picture>` or `<img>`, perhaps inside a link; undefined for anything else. */
function pictureOf(node: Node, scope: Scope): Hast[] | undefined {
  if (isNamed(node, 'img')) return draw(readImg(node), [], scope, node)
  if (!isNamed(node, 'picture')) return undefined
  return renderPicture(node, scope, [])
}

export function renderPicture(node: Element, scope: Scope, classes: readonly string[]): Hast[] {
  const img = node.children.find(child => isNamed(child, 'img'))
  if (img === undefined) return []
  const dark = node.children
    .filter(child => isNamed(child, 'source'))
    .find(({ attributes }) => attributes.media?.replaceAll(' ', '').includes('prefers-color-scheme:dark'))
  return draw({ ...readImg(img), dark: dark?.attributes.srcset }, classes, scope, node)
}

const readImg = (node: Element): Picture => ({
  source: node.attributes.src ?? '',
  alt: node.attributes.alt ?? '',
  width: node.attributes.width,
  height: node.attributes.height,
  size: node.attributes['data-size'],
})

function draw(picture: Picture, classes: readonly string[], scope: Scope, at: Node): Hast[] {
  const light = imgFor(picture, picture.source, classes, scope)
  if (light === undefined) {
    scope.report('missing_image', `There is no picture at ${picture.source.slice(0, 200)}`, at)
    return [missingPicture(picture)]
  }
  const dark =
    picture.dark === undefined ? undefined : imgFor(picture, picture.dark, [...classes, 'only-dark'], scope)
  if (dark === undefined) return [light]
  return [imgFor(picture, picture.source, [...classes, 'only-light'], scope) ?? light, dark]
}

/** Says which file is missing to those who could bring it; styles decide who that is. */
export const missingPicture = ({ source, alt }: Pick<Picture, 'source' | 'alt'>): Hast =>
  el(
    'span.missing-image',
    { title: 'Missing file', dataFile: fileNameOf(source) },
    icon('image'),
    alt || el('span.missing-words', {}, 'Missing picture'),
  )

const FILE_NAME_CHARACTERS_MAX = 120

/** Of a path; undefined for other addresses. */
function fileNameOf(source: string): string | undefined {
  if (isBrokenReference(source) || /^[a-z][a-z0-9+.-]*:/i.test(source)) return undefined
  const [path = ''] = source.split(/[?#]/, 1)
  const name = path.slice(path.lastIndexOf('/') + 1)
  return decoded(name).slice(0, FILE_NAME_CHARACTERS_MAX).toWellFormed() || undefined
}

/** As written if its percent-encoding is none. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function imgFor(
  picture: Picture,
  source: string,
  classes: readonly string[],
  scope: Scope,
): Hast | undefined {
  const found = resolveImage(scope, source)
  if (found === undefined) return undefined
  return el('img', {
    src: found.src,
    alt: picture.alt,
    className: classes,
    ...sizeOf(picture, found),
    loading: !scope.options.loadsAtOnce && 'lazy',
    decoding: 'async',
  })
}

/** The address and size of a picture; absolute addresses need no resolver to know them. */
export function resolveImage(scope: Scope, destination: string) {
  const found = scope.options.resolveImage(destination)
  const src = safeSource(found?.src ?? (/^https?:\/\//i.test(destination) ? destination : ''))
  return src === undefined ? undefined : { src, width: found?.width, height: found?.height }
}

/** What the author chose, else the picture's own size; one of both keeps the picture's proportions. */
function sizeOf(picture: Picture, file: { width: number | undefined; height: number | undefined }) {
  if (picture.size === 'line') return {}
  const share = percent(picture.width)
  if (share !== undefined) return { width: `${Math.round(share)}%` }
  const width = pixels(picture.width)
  const height = pixels(picture.height)
  if (width === undefined && height === undefined)
    return file.width && file.height ? { width: file.width, height: file.height } : {}
  if (width !== undefined && height === undefined && file.width && file.height)
    return { width, height: Math.max(1, Math.round((width * file.height) / file.width)) }
  return { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) }
}

export const isBlank = (node: Node): boolean =>
  (node.type === 'text' && node.value.trim() === '') || (node.type === 'html' && node.kind === 'comment')
