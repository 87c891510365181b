// `/openapi/<id>.json`: the newest version of a specification that anybody may read.
import type { FastifyInstance } from 'fastify'
import { findDocument, findSpecById } from '../../api/openapi-specs/rows.ts'
import { missing, orMissing } from '../../base/errors.ts'
import { matchesEtag, sendCompressed } from '../../http/cached-body.ts'
import type { Services } from '../../http/context.ts'

/** In OpenAPI 3.1, for any program and any page. A private specification looks as if it did not exist. */
export function servePublishedSpecs(
  app: FastifyInstance,
  { db, bodies }: Pick<Services, 'db' | 'bodies'>,
): void {
  app.get<{ Params: { name: string } }>('/openapi/:name', async (request, reply) => {
    const [, id] = /^([A-Za-z0-9_-]{1,64})\.json$/.exec(request.params.name) ?? []
    const spec = id === undefined ? undefined : await findSpecById(db, id)
    if (spec === undefined || spec.visibility !== 'public' || spec.last_version === null)
      throw missing('OpenAPI specification')
    const version = spec.last_version
    const etag = `"${version}"`
    reply.header('etag', etag).header('access-control-allow-origin', '*').header('cache-control', 'no-cache')
    reply.header('vary', 'Accept-Encoding')
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    // Shared by concurrent requests: the embedded database answers nothing else while it reads megabytes.
    const body = await bodies.get(`openapi published ${version}`, async () => {
      const found = orMissing(await findDocument(db, version), 'OpenAPI specification')
      return found
    })
    return sendCompressed(reply, request, body)
  })
}
