// The API of this server, asked from within as its caller would ask it: scopes, permissions, limits and the audit hold
// as for any request.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Send } from './api.ts'

/** What the caller says who they are with. */
export type Credentials = {
  /** An Authorization header. */
  readonly authorization?: string
  /** The key of a share link. */
  readonly shareKey?: string
}

export const askOwnApi =
  (app: FastifyInstance, { ip, id }: Pick<FastifyRequest, 'ip' | 'id'>, credentials: Credentials): Send =>
  async (method, path, body, signal) => {
    const { authorization, shareKey } = credentials
    const response = await app.inject({
      method,
      url: `/v1${shareKey === undefined ? path : withShareKey(path, shareKey)}`,
      remoteAddress: ip,
      headers: { 'x-request-id': id, ...(authorization === undefined ? {} : { authorization }) },
      ...(body === undefined ? {} : { payload: body as object }),
      signal,
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    return {
      status: response.statusCode,
      body: isJson ? JSON.parse(response.payload) : undefined,
    }
  }

const withShareKey = (path: string, key: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}shareKey=${encodeURIComponent(key.toWellFormed())}`
