// As much of SVG as it takes to recognize one and its size: the first tag. It is never parsed as XML, so there are no
// entities to expand, and every step moves forward.

type Size = { readonly width: number; readonly height: number }

// Editors write long comments and document types before the first tag, and long lists of namespaces into it.
const HEAD_BYTES_MAX = 64 * 1024
const TAG_CHARACTERS_MAX = 16 * 1024

/** Whether the first tag of a text is `<svg>`. */
export const isSvg = (head: Uint8Array): boolean => rootTag(head) !== undefined

/** The size that the first tag states, in pixels; undefined if it states none or is not SVG. */
export function svgDimensions(head: Uint8Array): Size | undefined {
  const tag = rootTag(head)
  if (tag === undefined) return undefined
  const attributes = readAttributes(tag)
  const width = length(attributes.get('width'))
  const height = length(attributes.get('height'))
  const box = viewBox(attributes.get('viewBox'))
  if (width !== undefined && height !== undefined) return round(width, height)
  if (box === undefined) return undefined
  if (width !== undefined) return round(width, (width * box.height) / box.width)
  if (height !== undefined) return round((height * box.width) / box.height, height)
  return round(box.width, box.height)
}

/** The attributes of the `<svg` tag. */
function rootTag(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, HEAD_BYTES_MAX)).toString(
    'utf8',
  )
  let at = text.startsWith('\ufeff') ? 1 : 0
  for (;;) {
    while (isSpace(text.charCodeAt(at))) at += 1
    if (!text.startsWith('<', at)) return undefined
    const end = prologEnd(text, at)
    if (end === undefined) break
    if (end === -1) return undefined
    at = end
  }
  if (!/^<svg[\s>/]/.test(text.slice(at, at + 5))) return undefined
  const start = at + 4
  let quote = ''
  for (let i = start; i < text.length && i < start + TAG_CHARACTERS_MAX; i++) {
    const character = text.charAt(i)
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return text.slice(start, i)
  }
  return undefined
}

/** Where a declaration, comment or document type at `at` ends; -1: it never ends; undefined: there is none. */
function prologEnd(text: string, at: number): number | undefined {
  if (text.startsWith('<?', at)) return after(text, '?>', at)
  if (text.startsWith('<!--', at)) return after(text, '-->', at)
  if (!/^<!doctype/i.test(text.slice(at, at + 9))) return undefined
  const end = text.indexOf('>', at)
  const inner = text.indexOf('[', at)
  return inner !== -1 && inner < end ? after(text, ']>', at) : after(text, '>', at)
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found === -1 ? -1 : found + mark.length
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

function readAttributes(tag: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', quoted = ''] of tag.matchAll(
    /(?<![^\s"'=<>/])([^\s"'=<>/]+)\s*=\s*("[^"]*"|'[^']*')/g,
  )) {
    if (!attributes.has(name)) attributes.set(name, quoted.slice(1, -1).trim())
  }
  return attributes
}

// Pixels per absolute CSS unit; a relative one (%, em) says nothing here.
const PIXELS = new Map([
  ['', 1],
  ['px', 1],
  ['pt', 4 / 3],
  ['pc', 16],
  ['in', 96],
  ['cm', 96 / 2.54],
  ['mm', 9.6 / 2.54],
])

function length(text: string | undefined): number | undefined {
  const [, number, unit = ''] =
    /^\+?(\d{1,9}(?:\.\d{0,20})?|\.\d{1,20})([a-z%]{0,3})$/i.exec(text ?? '') ?? []
  const scale = PIXELS.get(unit.toLowerCase())
  if (number === undefined || scale === undefined) return undefined
  const pixels = Number(number) * scale
  return pixels > 0 ? pixels : undefined
}

function viewBox(text: string | undefined): Size | undefined {
  const [x, y, width = 0, height = 0, ...more] = (text ?? '')
    .slice(0, 200)
    .split(/[\s,]+/)
    .map(Number)
  if (x === undefined || y === undefined || more.length > 0) return undefined
  return width > 0 && height > 0 && Number.isFinite(width) && Number.isFinite(height)
    ? { width, height }
    : undefined
}

const round = (width: number, height: number): Size => ({
  width: Math.max(1, Math.round(width)),
  height: Math.max(1, Math.round(height)),
})
