// Files over HTTP. Their addresses are signed and immutable: readable without a token, and cacheable forever.
// The bytes come from strangers: none of them may run in our origin.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { missing, orMissing } from '../../base/errors.ts'
import { matchesEtag } from '../../http/cached-body.ts'
import type { Services } from '../../http/context.ts'
import { toServedType } from '../../http/served-type.ts'
import type { ByteRange } from '../../platform/blobs/store.ts'
import { isSigned } from './signed-references.ts'

type FileRequest = {
  Params: { blob: string; signature: string; name: string }
  Querystring: { type?: string }
  Headers: { range?: string; 'if-none-match'?: string; 'if-range'?: string }
}

/** Types that a browser shows without running anything; everything else is downloaded. */
const SHOWN = /^(image\/|video\/|audio\/|application\/pdf$|text\/plain$)/
// SVG would run scripts when opened as a page; the sandbox prevents that, but allows its inline styles.
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"

export function serveFiles(app: FastifyInstance, services: Pick<Services, 'blobs' | 'signingKey'>): void {
  app.route<FileRequest>({
    method: ['GET', 'HEAD'],
    url: '/files/:blob/:signature/:name',
    handler: async (request, reply) => {
      const { blob, signature, name } = request.params
      const contentType = typeof request.query.type === 'string' ? request.query.type : ''
      if (!isSigned(services.signingKey, { blob, name, contentType }, signature)) throw missing('file')
      const etag = `"${blob}"`
      const lasting = {
        etag,
        'cache-control': 'public, max-age=31536000, immutable',
        'accept-ranges': 'bytes',
        'cross-origin-resource-policy': 'cross-origin',
      }
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).headers(lasting).send()
      const headers = {
        ...lasting,
        'content-type': toServedType(contentType),
        'content-disposition': `${SHOWN.test(contentType) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeRfc5987(name)}`,
        ...(contentType === 'application/pdf' ? {} : { 'content-security-policy': SANDBOX }),
      }
      if (request.method === 'HEAD') return sendSize(reply, services, blob, headers)
      const { range, 'if-range': condition } = request.headers
      // RFC 9110 §13.1.5: under another condition than the very bytes of this file, it is sent whole.
      const isWhole = condition !== undefined && condition.trim() !== etag
      return sendBlob(reply, services, blob, isWhole ? undefined : readRange(range), headers)
    },
  })
}

// Only sent together with the bytes: a refusal with these headers would be cached for a year.
type FileHeaders = Readonly<Record<string, string>>

// RFC 9110 §9.3.2: HEAD has no Range. The file is not read.
async function sendSize(
  reply: FastifyReply,
  { blobs }: Pick<Services, 'blobs'>,
  blob: string,
  headers: FileHeaders,
) {
  const found = orMissing(await blobs.find(blob), 'file')
  return reply.headers(headers).header('content-length', found.size).send()
}

async function sendBlob(
  reply: FastifyReply,
  { blobs }: Pick<Services, 'blobs'>,
  blob: string,
  range: ByteRange | undefined,
  headers: FileHeaders,
) {
  const found = await blobs.read(blob, range)
  if (found === undefined) {
    const whole = orMissing(range === undefined ? undefined : await blobs.find(blob), 'file')
    return reply.code(416).header('content-range', `bytes */${whole.size}`).send()
  }
  const { size, first, length, stream } = found
  reply.headers(headers).header('content-length', length)
  if (range !== undefined)
    reply.code(206).header('content-range', `bytes ${first}-${first + length - 1}/${size}`)
  return reply.send(stream)
}

/** A single range (RFC 9110 §14.1.2); for several or invalid ones the whole file is sent, as the RFC allows. */
export function readRange(header: string | undefined): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  if (first === '') return { suffix: Number(last) }
  const range = { first: Number(first), last: last === '' ? Number.MAX_SAFE_INTEGER : Number(last) }
  return range.first <= range.last ? range : undefined
}

/** RFC 8187: characters not allowed in a parameter are percent-encoded. */
export const encodeRfc5987 = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
