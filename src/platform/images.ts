// What a file is, from its first bytes and its name, and how large an image is. The bytes come from strangers:
// nothing is unpacked or decoded, only headers are read, and nothing throws.
import { imageSize } from 'image-size'
import { lookup } from 'mime-types'
import { typeBySignature } from './file-signatures.ts'
import { isSvg, svgDimensions } from './svg.ts'

/** Pixels, as a browser shows the image: rotated according to EXIF. */
export type Dimensions = { readonly width: number; readonly height: number }

export type FileDescription = {
  /** Without parameters: `image/png`, `text/markdown`, `application/octet-stream`. */
  readonly contentType: string
  /** For PNG, JPEG, GIF, WebP, AVIF and SVG, if the header is plausible. */
  readonly dimensions?: Dimensions
}

/** How much of the beginning of a file is enough. A JPEG may have a preview and a colour profile before its size. */
export const HEAD_BYTES = 256 * 1024

const UNKNOWN = 'application/octet-stream'
/** No real image has larger sides; a forged header may say 4,294,967,295. */
const SIDE_PIXELS_MAX = 100_000
// Finding an AVIF's size scans all boxes for each box, so it gets fewer bytes.
const BOXES_BYTES_MAX = 32 * 1024
const MEASURED = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

// Endings whose meaning in the common table is rare in documentation.
const OWN_TYPES = new Map([
  ['ts', 'text/plain'],
  ['tsx', 'text/plain'],
  ['mts', 'text/plain'],
  ['cts', 'text/plain'],
  ['rs', 'text/plain'],
  ['vue', 'text/plain'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
])

/**
 * The bytes win over the name; a name of an image is not believed if the first bytes show something else. `head` is
 * the beginning of the file (HEAD_BYTES) or all of it; `name` may be a path.
 */
export function describeFile(head: Uint8Array, name: string): FileDescription {
  const ending = endingOf(name)
  const named = typeByName(ending)
  const contentType = typeBySignature(head, ending, named) ?? typeOfText(head, ending, named)
  const dimensions = measure(head.subarray(0, HEAD_BYTES), contentType)
  return dimensions === undefined ? { contentType } : { contentType, dimensions }
}

const endingOf = (name: string): string =>
  (/\.([^./\\]{1,20})$/.exec(name.slice(-32))?.[1] ?? '').toLowerCase()

function typeByName(ending: string): string | undefined {
  if (ending === '') return undefined
  return OWN_TYPES.get(ending) ?? (lookup(`x.${ending}`) || undefined)
}

function typeOfText(head: Uint8Array, ending: string, named: string | undefined): string {
  const isText = !head.subarray(0, 4096).includes(0)
  const isImage = named?.startsWith('image/') ?? false
  if (isText && (named === undefined || isImage) && isSvg(head)) return 'image/svg+xml'
  if (ending === 'svg') return isText ? 'image/svg+xml' : UNKNOWN
  if (isImage) return UNKNOWN
  return named ?? (isText && head.length > 0 ? 'text/plain' : UNKNOWN)
}

function measure(head: Uint8Array, contentType: string): Dimensions | undefined {
  if (contentType === 'image/svg+xml') return believable(svgDimensions(head))
  if (!MEASURED.has(contentType)) return undefined
  try {
    // The library makes views of the underlying buffer, so the bytes get a buffer of their own.
    const bytes = new Uint8Array(contentType === 'image/avif' ? head.subarray(0, BOXES_BYTES_MAX) : head)
    const { width, height, orientation = 1 } = imageSize(bytes)
    // Orientations from 5 on are rotated by 90 degrees.
    return believable(orientation >= 5 ? { width: height, height: width } : { width, height })
  } catch {
    return undefined
  }
}

function believable(size: Dimensions | undefined): Dimensions | undefined {
  if (size === undefined) return undefined
  return [size.width, size.height].every(
    side => Number.isInteger(side) && side > 0 && side <= SIDE_PIXELS_MAX,
  )
    ? size
    : undefined
}
