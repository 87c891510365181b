// `/openapi/<id>.json`: the newest version of a specification that anybody may read.
import type { FastifyInstance } from 'fastify'
import { findDocument, findSpecById } from '../../api/openapi-specs/rows.ts'
import { missing } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import { JSON_TYPE } from '../../http/replies.ts'

/** In OpenAPI 3.1, for any program and any page. A private one is not told from one that is not there. */
export function servePublishedSpecs(app: FastifyInstance, { db }: Pick<Services, 'db'>): void {
  app.get<{ Params: { name: string } }>('/openapi/:name', async (request, reply) => {
    const [, id] = /^([A-Za-z0-9_-]{1,64})\.json$/.exec(request.params.name) ?? []
    const spec = id === undefined ? undefined : await findSpecById(db, id)
    if (spec === undefined || spec.visibility !== 'public' || spec.last_version === null)
      throw missing('OpenAPI specification')
    const etag = `"${spec.last_version}"`
    reply.header('etag', etag).header('access-control-allow-origin', '*').header('cache-control', 'no-cache')
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const found = await findDocument(db, spec.last_version)
    if (found === undefined) throw missing('OpenAPI specification')
    return reply.header('content-type', JSON_TYPE).send(found.document)
  })
}
