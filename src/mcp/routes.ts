// The MCP endpoints: `/mcp` with a token, for everything that the token opens, and `/s/{space}/~mcp`, for everybody
// who may read the space. The MCP server is loaded with the first request.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { VISITOR_TOKEN_CHARACTERS_MAX } from '../access/proofs.ts'
import { forbidden } from '../base/errors.ts'
import { readBearer } from '../http/admission.ts'
import type { Services } from '../http/context.ts'
import { failureOf } from '../http/failures.ts'
import { ApiError, at, createApi, type Send } from './api.ts'
import { challengeOf, serveAuthorization } from './authorization.ts'
import { askOwnApi, type Credentials } from './own-api.ts'

const BODY_BYTES_MAX = 4 * 1024 * 1024
const NO_TOKEN = 'Send a token: Authorization: Bearer <token>. This one is missing or unknown.'

type SpaceRequest = FastifyRequest<{ Params: { spaceId: string } }>

export function serveMcp(app: FastifyInstance, services: Services): void {
  const origin = new URL(services.config.publicUrl).origin
  const sendAs = (request: FastifyRequest, credentials: Credentials): Send =>
    askOwnApi(app, services.compute, request, credentials)

  serveAuthorization(app, services)
  app.post('/mcp', {
    bodyLimit: BODY_BYTES_MAX,
    async onRequest(request, reply) {
      refuseOtherOrigins(request, origin)
      const { authorization } = request.headers
      const token = readBearer(authorization ?? '')
      if (token !== undefined && (await services.principals.find(token)) !== undefined) return
      const error = { code: 401, message: NO_TOKEN }
      return reply
        .code(401)
        .header('www-authenticate', challengeOf(services.urls, authorization !== undefined))
        .send({ error })
    },
    async handler(request, reply) {
      const { answerWorkspace } = await import('./answer.ts')
      const { authorization } = request.headers
      return answerWorkspace(request, reply, sendAs(request, { authorization }))
    },
  })

  app.post('/s/:spaceId/~mcp', {
    bodyLimit: BODY_BYTES_MAX,
    async onRequest(request: SpaceRequest) {
      refuseOtherOrigins(request, origin)
      await admitToSpace(request.params.spaceId, sendAs(request, credentialsOf(request)))
    },
    async handler(request: SpaceRequest, reply) {
      const { answerSpace } = await import('./answer.ts')
      return answerSpace(request.params.spaceId, request, reply, sendAs(request, credentialsOf(request)))
    },
  })

  for (const url of ['/mcp', '/s/:spaceId/~mcp'])
    app.route({
      url,
      method: ['GET', 'DELETE'],
      handler: (_request, reply) => {
        const error = { code: 405, message: 'Send a POST: there are no streams or sessions here.' }
        return reply.code(405).header('allow', 'POST').send({ error })
      },
    })
}

/** Runs before the body is read. Everybody who may see the space may read it. */
async function admitToSpace(space: string, send: Send): Promise<void> {
  try {
    await createApi(send, new AbortController().signal).call('GET', at`/spaces/${space}`)
  } catch (error) {
    throw error instanceof ApiError ? failureOf(error.status, error.message) : error
  }
}

/** A page of another site must not reach what only this browser can reach (MCP 2025-06-18, Transports, Security). */
function refuseOtherOrigins({ headers }: FastifyRequest, own: string): void {
  if (headers.origin !== undefined && headers.origin !== own)
    throw forbidden('Only programs and pages of this server are answered here. This Origin is neither.')
}

/** A visitor's proofs, in the forms that the reader and the API accept. */
function credentialsOf({ headers, query }: FastifyRequest): Credentials {
  // The routes of MCP declare no query types.
  const { shareKey, jwt_token } = query as Readonly<Record<string, unknown>>
  const authorization = headers.authorization ?? (isToken(jwt_token) ? `Bearer ${jwt_token}` : undefined)
  return { authorization, shareKey: typeof shareKey === 'string' ? shareKey : undefined }
}

const isToken = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= VISITOR_TOKEN_CHARACTERS_MAX && /^[\w.-]+$/.test(value)
