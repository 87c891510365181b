// Answers one MCP request over HTTP, without a session, so that any process can answer the next one.
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid, unavailable } from '../base/errors.ts'
import type { Send } from './api.ts'
import { ACCEPT_OF_SDK, formFor, NOT_ACCEPTABLE, refuseVersion } from './negotiation.ts'
import { createMcpServer, type ServerDefinition, spaceServer, workspaceServer } from './server.ts'

const MESSAGES_MAX = 20

export const answerWorkspace = (request: FastifyRequest, reply: FastifyReply, send: Send) =>
  answer(workspaceServer, request, reply, send)

export const answerSpace = (space: string, request: FastifyRequest, reply: FastifyReply, send: Send) =>
  answer(spaceServer(space), request, reply, send)

async function answer(
  definition: ServerDefinition,
  request: FastifyRequest,
  reply: FastifyReply,
  send: Send,
) {
  const { body } = request
  if (Array.isArray(body) && body.length > MESSAGES_MAX)
    throw invalid('batch_too_long', `body: at most ${MESSAGES_MAX} messages in one request.`)
  const form = formFor(request.headers.accept)
  if (form === undefined) return reply.code(406).send(NOT_ACCEPTABLE)
  const wrongVersion = refuseVersion(request)
  if (wrongVersion !== undefined) return reply.code(400).send(wrongVersion)
  const server = createMcpServer(definition, send, error => request.log.error({ err: error }, 'bug'))
  // A cancelled request gets no answer, so a client that sent both in one batch would wait forever.
  server.removeNotificationHandler('notifications/cancelled')
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: form === 'json' })
  await server.connect(transport)
  const response = await new Promise<Response>((resolve, reject) => {
    reply.raw.once('close', () => {
      reject(unavailable('client_left', 'The client left before it was answered.'))
      void server.close()
    })
    transport.handleRequest(toWebRequest(request), { parsedBody: body ?? null }).then(resolve, reject)
  })
  return reply
    .code(response.status)
    .headers(Object.fromEntries(response.headers))
    .send(await response.text())
}

/** The transport reads only the headers; what the client accepts has been decided. */
function toWebRequest({ headers }: FastifyRequest): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const all = new Headers(given)
  all.set('accept', ACCEPT_OF_SDK)
  return new Request('http://octavo.invalid/', { method: 'POST', headers: all })
}
