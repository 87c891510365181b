// A cached body as an answer: 304 where the client has it already, else compressed as the client accepts. Callers set
// `cache-control` and `vary`.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CachedBody } from './cached-body.ts'
import { acceptsEncoding } from './encodings.ts'
import { matchesEtag } from './preconditions.ts'

export async function sendCachedBody(reply: FastifyReply, request: FastifyRequest, body: CachedBody) {
  return isUnchanged(reply, request, body) ? reply.code(304).send() : sendCompressed(reply, request, body)
}

/**
 * For a body with a secret of its reader. Its length when compressed tells how much of the secret equals other text of
 * the body, which somebody else may have chosen (https://www.breachattack.com).
 */
export async function sendUncompressed(reply: FastifyReply, request: FastifyRequest, body: CachedBody) {
  return isUnchanged(reply, request, body)
    ? reply.code(304).send()
    : reply.header('content-type', body.contentType).send(body.bytes)
}

/** The body alone, for a caller that sets and compares an `etag` of its own. */
export async function sendCompressed(reply: FastifyReply, request: FastifyRequest, body: CachedBody) {
  reply.header('content-type', body.contentType)
  const coding = body.isCompressible ? codingFor(request.headers['accept-encoding']) : undefined
  return coding === undefined
    ? reply.send(body.bytes)
    : reply.header('content-encoding', coding).send(await body.compressed(coding))
}

function isUnchanged(reply: FastifyReply, { headers }: FastifyRequest, { etag }: CachedBody): boolean {
  reply.header('etag', etag)
  return reply.statusCode === 200 && matchesEtag(headers['if-none-match'], etag)
}

const codingFor = (accepted: string | readonly string[] | undefined) =>
  (['br', 'gzip'] as const).find(coding => acceptsEncoding(accepted, coding))
