// The description of the API, for programs (OpenAPI) and for people (the API reference).
import type { FastifyInstance } from 'fastify'
import { operations, tags } from '../api/index.ts'
import { CachedBody, sendCachedBody } from '../http/cached-body.ts'
import { type OpenApiDocument, toOpenApi } from '../http/openapi.ts'
import { VERSION } from '../platform/version.ts'

/** By server address: the servers of one process, as in tests, share the document and the reference made from it. */
const documents = new Map<string, OpenApiDocument>()

/** The document of this program, for a server at `publicUrl`. */
export function describe(publicUrl: string): OpenApiDocument {
  const document = documents.get(publicUrl) ?? toOpenApi(operations, { publicUrl, version: VERSION, tags })
  documents.set(publicUrl, document)
  return document
}

/** `GET /v1/openapi.json`, without a token: the API is public. */
export function serveDescription(app: FastifyInstance, document: OpenApiDocument): void {
  let ready: CachedBody | undefined
  app.get('/v1/openapi.json', async (request, reply) => {
    ready ??= new CachedBody(Buffer.from(JSON.stringify(document)), 'application/json; charset=utf-8')
    reply.headers({
      'cache-control': 'public, no-cache',
      vary: 'Accept-Encoding',
      'access-control-allow-origin': '*',
    })
    return sendCachedBody(reply, request, ready)
  })
}
