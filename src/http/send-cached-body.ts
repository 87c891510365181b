// A cached body as an answer: 304 where the client has it already, else compressed as the client accepts. Callers set
// `cache-control` and `vary`.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CachedBody } from './cached-body.ts'
import { acceptsEncoding } from './encodings.ts'
import { matchesEtag } from './preconditions.ts'

/** Not a promise where there is nothing to wait for: a cached page is sent at once. */
type Sending = FastifyReply | Promise<FastifyReply>

export function sendCachedBody(reply: FastifyReply, request: FastifyRequest, body: CachedBody): Sending {
  return isUnchanged(reply, request, body) ? reply.code(304).send() : sendCompressed(reply, request, body)
}

/**
 * For a body with a secret of its reader. Its length when compressed reveals how much of the secret equals other text
 * of the body, which an attacker may have chosen (https://www.breachattack.com).
 */
export function sendUncompressed(reply: FastifyReply, request: FastifyRequest, body: CachedBody): Sending {
  return isUnchanged(reply, request, body)
    ? reply.code(304).send()
    : reply.header('content-type', body.contentType).send(body.bytes)
}

/** The body alone, for a caller that sets and compares an `etag` of its own. */
export function sendCompressed(reply: FastifyReply, request: FastifyRequest, body: CachedBody): Sending {
  reply.header('content-type', body.contentType)
  const accepted = request.headers['accept-encoding']
  const coding = accepted !== undefined && body.isCompressible ? codingFor(accepted) : undefined
  if (coding === undefined) return reply.send(body.bytes)
  return body.compressed(coding).then(bytes => reply.header('content-encoding', coding).send(bytes))
}

function isUnchanged(reply: FastifyReply, { headers }: FastifyRequest, { etag }: CachedBody): boolean {
  reply.header('etag', etag)
  return reply.statusCode === 200 && matchesEtag(headers['if-none-match'], etag)
}

const codingFor = (accepted: string | readonly string[]) =>
  (['br', 'gzip'] as const).find(coding => acceptsEncoding(accepted, coding))
