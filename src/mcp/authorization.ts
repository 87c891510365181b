// How programs get a token in a browser, by the authorization of MCP: metadata of the resource (RFC 9728) and of this
// server (RFC 8414), registration (RFC 7591), tokens (OAuth 2.1) and giving them back (RFC 7009). The person agrees on a
// page of `site/oauth`.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerToken, giveBack } from '../api/oauth/exchange.ts'
import { registerClient } from '../api/oauth/registration.ts'
import { resourceOf, SCOPES_OF_PROGRAMS } from '../api/oauth/requests.ts'
import type { Services } from '../http/context.ts'
import { toErrorReply } from '../http/failures.ts'
import type { Urls } from '../http/urls.ts'

const FORM_BYTES_MAX = 16 * 1024
const REGISTRATION_BYTES_MAX = 32 * 1024
const REGISTRATION_WAIT_SECONDS = 3600
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'
const SERVER_METADATA = '/.well-known/oauth-authorization-server'

export function serveAuthorization(app: FastifyInstance, services: Services): void {
  const { urls } = services
  // The second is where clients look that know the address of the resource alone (RFC 9728 §3.1).
  for (const path of [RESOURCE_METADATA, `${RESOURCE_METADATA}/mcp`])
    app.get(path, async () => resourceMetadata(urls))
  app.get(SERVER_METADATA, async () => serverMetadata(urls))
  app.register(async endpoints => {
    endpoints.removeAllContentTypeParsers()
    endpoints.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      // Parsed as a string, by the options.
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    )
    endpoints.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    endpoints.setErrorHandler((error, _request, reply) => refuseMalformed(error, reply))
    endpoints.post('/oauth/token', async (request, reply) => {
      const answer = await answerToken(fromPrograms(services, request), formOf(request))
      return reply.code('error' in answer ? 400 : 200).send(answer)
    })
    endpoints.post('/oauth/revoke', async (request, reply) => {
      await giveBack(fromPrograms(services, request), formOf(request))
      return reply.code(200).send({})
    })
  })
  app.register(async endpoints => {
    endpoints.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    endpoints.setErrorHandler((error, _request, reply) => refuseMalformed(error, reply))
    endpoints.post('/oauth/register', { bodyLimit: REGISTRATION_BYTES_MAX }, async (request, reply) => {
      const registration = await registerClient(services, request.body, request.ip)
      if (registration.kind === 'done') return reply.code(201).send(registration.client)
      if (registration.kind === 'refused') {
        const { error, words } = registration.refusal
        return reply.code(400).send({ error, error_description: words })
      }
      return reply.code(429).header('retry-after', REGISTRATION_WAIT_SECONDS).send({
        error: 'temporarily_unavailable',
        error_description: 'Too many programs were registered from here and never used. Try again later.',
      })
    })
  })
}

/** Where a program that was refused learns how to get a token (RFC 9728 §5.1). */
export const challengeOf = (urls: Urls, isTokenSent: boolean): string =>
  `Bearer realm="octavo", resource_metadata="${urls.root(`${RESOURCE_METADATA}/mcp`)}"${isTokenSent ? ', error="invalid_token"' : ''}`

const resourceMetadata = (urls: Urls) => ({
  resource: resourceOf(urls),
  resource_name: 'Octavo',
  authorization_servers: [urls.root('')],
  scopes_supported: SCOPES_OF_PROGRAMS,
  bearer_methods_supported: ['header'],
})

const serverMetadata = (urls: Urls) => ({
  issuer: urls.root(''),
  authorization_endpoint: urls.root('/oauth/authorize'),
  token_endpoint: urls.root('/oauth/token'),
  registration_endpoint: urls.root('/oauth/register'),
  revocation_endpoint: urls.root('/oauth/revoke'),
  scopes_supported: SCOPES_OF_PROGRAMS,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
})

const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

/** The services, set to record that a program acts for a person. */
const fromPrograms = (services: Services, request: FastifyRequest): Services => ({
  ...services,
  events: services.events.from({
    actorKind: 'user',
    source: 'api',
    address: request.ip,
    tokenId: null,
    requestId: request.id,
  }),
})

/** In the form of OAuth, for a body that cannot be read. */
function refuseMalformed(error: unknown, reply: FastifyReply) {
  const { status, headers, body } = toErrorReply(error)
  if (status >= 500) throw error
  return reply
    .code(status)
    .headers(headers)
    .send({ error: 'invalid_request', error_description: body.error.message })
}
