// Work on parts of API descriptions, for a thread of its own: anybody may have written them.
import { inflateRawSync } from 'node:zlib'
import { parseWritten } from '../../../base/written-numbers.ts'
import { specification } from '../../../compute/specification.ts'
import { compressed } from '../../../compute/specification-parts.ts'
import { findPart, type PartName } from '../../../engines/openapi/parts.ts'
import { drawPart, originsIn, type PartStyle } from './draw.ts'
import { writePart } from './write.ts'

const CHARACTERS_MAX = 4 * 1024 * 1024
/** The size of a part as JSON. */
const BYTES_MAX = 2_000_000
const HTML_CHARACTERS_MAX = 1_000_000
const MARKDOWN_CHARACTERS_MAX = 500_000

/** Parts of a file; null for a part that it does not have. References to other documents are left out. */
async function cut({ text, names }: { text: string; names: readonly PartName[] }) {
  const input = { text, charactersMax: CHARACTERS_MAX }
  const first = await specification({ ...input, documents: new Map() }, {})
  const read =
    'unread' in first ? await specification({ ...input, documents: refused(first.unread) }, {}) : first
  if ('unread' in read || !read.isUsable) return names.map(() => null)
  const document = parseWritten(Buffer.from(read.json).toString('utf8'))
  return names.map(name => {
    const part = findPart(document, name)
    return part === undefined ? null : compressed(part)
  })
}

const refused = (addresses: readonly string[]) =>
  new Map(
    addresses.map(
      address => [address, { ok: false, message: 'only references within the file are followed.' }] as const,
    ),
  )

/** `origins`: where its readers may send requests. */
export type DrawnPart = { readonly html: string; readonly origins: readonly string[] }

/** Undefined where it is longer than a page may be. */
function draw({ bodies, ...look }: PartStyle & { bodies: readonly Uint8Array[] }): DrawnPart | undefined {
  const documents = read(bodies)
  const { markup } = drawPart(documents, look)
  return markup.length > HTML_CHARACTERS_MAX
    ? undefined
    : { html: markup, origins: originsIn(documents, look) }
}

/** Undefined where it is longer than a page may be. */
function write({ bodies, ...look }: LookKind & { bodies: readonly Uint8Array[] }): string | undefined {
  const markdown = writePart(read(bodies), look)
  return markdown.length > MARKDOWN_CHARACTERS_MAX ? undefined : markdown
}

type LookKind = Pick<PartStyle, 'kind' | 'isHeadless'>

const read = (bodies: readonly Uint8Array[]): unknown[] =>
  bodies.map(body => parseWritten(inflateRawSync(body, { maxOutputLength: BYTES_MAX }).toString('utf8')))

/** For platform/pool/worker.ts. */
export const tasks = { cut, draw, write }
