// One picture, with its twin for dark themes, or what stands for it where its file is missing.

import { isBrokenReference } from '../page/page.ts'
import type { Picture } from '../reading/reading.ts'
import type { Length } from '../schema/schema.ts'
import type { Node } from '../syntax/syntax.ts'
import { el, type Hast, icon } from './build.ts'
import { safeSource } from './destinations.ts'
import type { Scope } from './scope.ts'

/** One in a line is as high as the line, if it asks for that, and says its title when it is pointed at. */
export const drawPictureInLine = (picture: Picture, scope: Scope): Hast[] =>
  draw(
    picture,
    { className: ['inline-image', ...(picture.size === 'line' ? ['line'] : [])], title: picture.title },
    scope,
  )

export const drawPicture = (picture: Picture, scope: Scope): Hast[] => draw(picture, {}, scope)

type Look = { readonly className?: readonly string[]; readonly title?: string | undefined }

function draw(picture: Picture, look: Look, scope: Scope): Hast[] {
  const { node, src, dark } = picture
  const light = resolveImage(scope, src)
  if (light === undefined) {
    scope.report('missing_image', src, `There is no picture at ${src.slice(0, 200)}`, node)
    return [missingPicture({ source: src, alt: picture.alt })]
  }
  const twin = dark === undefined ? undefined : resolveImage(scope, dark)
  const id = scope.takeId(node)
  const img = (file: File, ...classes: readonly string[]): Hast =>
    el('img', {
      src: file.src,
      alt: picture.alt,
      id: file === light && id,
      title: look.title,
      className: [...(look.className ?? []), ...classes],
      draws: file === light ? look.className?.includes('line') && { name: 'line-high' } : { name: 'screen' },
      ...(look.className?.includes('line') ? {} : sizeOf(picture, file)),
      loading: !scope.options.loadsAtOnce && 'lazy',
      decoding: 'async',
    })
  return twin === undefined ? [img(light)] : [img(light, 'only-light'), img(twin, 'only-dark')]
}

/** Says which file is missing to those who could bring it; styles decide who that is. */
export const missingPicture = ({ source, alt }: { readonly source: string; readonly alt: string }): Hast =>
  el(
    'span.missing-image',
    { title: 'Missing file', dataFile: fileNameOf(source), draws: { name: 'missing-picture' } },
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

/** The address of a picture's file, and its size in pixels if that is known. */
type File = { readonly src: string; readonly width: number | undefined; readonly height: number | undefined }

/** Absolute addresses need no resolver to be known. */
export function resolveImage(scope: Scope, destination: string): File | undefined {
  const found = scope.options.resolveImage(destination)
  const src = safeSource(found?.src ?? (/^https?:\/\//i.test(destination) ? destination : ''))
  return src === undefined ? undefined : { src, width: found?.width, height: found?.height }
}

/** What the author chose, else the picture's own size; one of both keeps the picture's proportions. */
function sizeOf(picture: Picture, file: File) {
  const share = percent(picture.width)
  if (share !== undefined) return { width: share }
  const width = pixels(picture.width)
  const height = pixels(picture.height)
  if (width === undefined && height === undefined)
    return file.width && file.height ? { width: file.width, height: file.height } : {}
  if (width !== undefined && height === undefined && file.width && file.height)
    return { width, height: Math.max(1, Math.round((width * file.height) / file.width)) }
  return { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) }
}

const PIXELS_MAX = 10_000

const pixels = (length: Length | undefined): number | undefined =>
  typeof length === 'number' && length >= 1 ? Math.min(Math.floor(length), PIXELS_MAX) : undefined

const percent = (length: Length | undefined): string | undefined =>
  typeof length === 'object' && length.value > 0 && length.value <= 100
    ? `${Math.round(length.value)}%`
    : undefined

export const isBlank = (node: Node): boolean =>
  (node.type === 'text' && node.value.trim() === '') || (node.type === 'html' && node.kind === 'comment')
