// Files over HTTP. Their addresses are signed and immutable, so whoever has one may read it and keep it for ever.
// The bytes come from strangers: nothing of them may run in our origin.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { missing } from '../../base/errors.ts'
import { matches } from '../../http/app.ts'
import type { Services } from '../../http/context.ts'
import type { ByteRange } from '../../platform/blobs/store.ts'
import { isSigned } from './download.ts'

type FileRequest = {
  Params: { blob: string; signature: string; name: string }
  Querystring: { type?: string }
  Headers: { range?: string; 'if-none-match'?: string }
}

/** Types a browser shows without running anything of them; everything else is saved. */
const SHOWN = /^(image\/|video\/|audio\/|application\/pdf$|text\/plain$)/
// SVG is shown in images only and would run scripts as a page of its own; the sandbox takes that away, and leaves
// its own styles.
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"

export function serveFiles(app: FastifyInstance, services: Pick<Services, 'blobs' | 'signingKey'>): void {
  app.get<FileRequest>('/files/:blob/:signature/:name', async (request, reply) => {
    const { blob, signature, name } = request.params
    const contentType = typeof request.query.type === 'string' ? request.query.type : ''
    if (!isSigned(services.signingKey, { blob, name, contentType }, signature)) throw missing('file')
    const etag = `"${blob}"`
    reply.headers({
      etag,
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.headers({
      'content-type': contentType,
      'content-disposition': `${SHOWN.test(contentType) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeRfc5987(name)}`,
    })
    if (contentType !== 'application/pdf') reply.header('content-security-policy', SANDBOX)
    return sendBlob(reply, services, blob, request.headers.range)
  })
}

async function sendBlob(
  reply: FastifyReply,
  { blobs }: Pick<Services, 'blobs'>,
  blob: string,
  header: string | undefined,
) {
  const range = readRange(header)
  const found = await blobs.read(blob, range)
  if (found === undefined && range !== undefined) {
    const whole = await blobs.read(blob)
    whole?.stream.destroy()
    if (whole !== undefined) return reply.code(416).header('content-range', `bytes */${whole.size}`).send()
  }
  if (found === undefined) throw missing('file')
  if (range === undefined) return reply.header('content-length', found.size).send(found.stream)
  const last = Math.min(range.last, found.size - 1)
  return reply
    .code(206)
    .headers({
      'content-length': last - range.first + 1,
      'content-range': `bytes ${range.first}-${last}/${found.size}`,
    })
    .send(found.stream)
}

/** One range with a first byte (RFC 9110 §14.2); anything else is answered whole, as the RFC allows. */
export function readRange(header: string | undefined): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined) return undefined
  const range = {
    first: Number(first),
    last: last === '' || last === undefined ? Number.MAX_SAFE_INTEGER : Number(last),
  }
  return range.first <= range.last ? range : undefined
}

/** RFC 8187: what may not stand in a parameter is percent-encoded. */
const encodeRfc5987 = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
