// This server's API, called from within as its caller would call it: scopes, permissions, limits and the audit apply
// as to any request.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Compute } from '../compute/compute.ts'
import { ApiError, type Send } from './api.ts'

/** How the caller identifies themselves. */
export type Credentials = {
  /** An Authorization header. */
  readonly authorization?: string | undefined
  /** The key of a share link. */
  readonly shareKey?: string | undefined
}

/** `request`: the HTTP request on whose behalf the API is called. */
export const askOwnApi =
  (
    app: FastifyInstance,
    compute: Pick<Compute, 'run'>,
    { ip, id }: Pick<FastifyRequest, 'ip' | 'id'>,
    { authorization, shareKey }: Credentials,
  ): Send =>
  async ({ method, path, body, excerpt }, signal) => {
    const response = await app.inject({
      method,
      url: `/v1${shareKey === undefined ? path : withShareKey(path, shareKey)}`,
      remoteAddress: ip,
      headers: { 'x-request-id': id, ...(authorization === undefined ? {} : { authorization }) },
      // Request bodies of the API are objects.
      ...(body === undefined ? {} : { payload: body as object }),
      signal,
    })
    const { statusCode: status, headers, rawPayload } = response
    if (!String(headers['content-type']).startsWith('application/json')) return { status, body: undefined }
    if (status >= 400) return { status, body: response.json() }
    const lane = authorization ?? ip
    // Node's own buffers are never shared memory.
    const bytes = rawPayload as Buffer<ArrayBuffer>
    const outcome = await compute.run('jsonExcerpt', lane, { bytes, excerpt })
    if (outcome.kind === 'beyond') throw new ApiError(413, 'This answer is too long to be read here.')
    return { status, body: outcome.value }
  }

const withShareKey = (path: string, key: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}shareKey=${encodeURIComponent(key.toWellFormed())}`
