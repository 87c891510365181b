// `/robots.txt`, and the sitemaps that it names. They are the same for everyone: what only some may read is not in them.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS } from '../../access/principal.ts'
import { NO_PROOFS } from '../../access/proofs.ts'
import { findSpaceFor } from '../../api/spaces/place.ts'
import { sha256 } from '../../base/canonical.ts'
import { missing } from '../../base/errors.ts'
import { matchesEtag } from '../../http/cached-body.ts'
import type { Services } from '../../http/context.ts'
import { VERSION } from '../../platform/version.ts'
import { pathParameter } from '../parameters.ts'
import { renderRobots } from './robots.ts'
import { digestPublicSpaces, listPublicSpaces } from './rows.ts'
import { renderSitemap, renderSitemapIndex, SITEMAP_INDEX, SITEMAP_PREFIX, SITEMAPS_MAX } from './sitemaps.ts'

const XML = 'application/xml; charset=utf-8'
const SIGHT = 'published'
const FILE = /^([\w-]{1,64})\.xml$/

export function serveCrawlers(app: FastifyInstance, services: Services): void {
  const { db, urls, contents } = services

  app.get('/robots.txt', async (request, reply) => {
    const [first] = await listPublicSpaces(db, '', 1)
    const text = renderRobots(first === undefined ? null : urls.root(SITEMAP_INDEX))
    reply.type('text/plain; charset=utf-8')
    return isKnown(request, reply, text) ? reply.code(304).send() : reply.send(text)
  })

  app.get(SITEMAP_INDEX, async (request, reply) => {
    const digest = await digestPublicSpaces(db, SITEMAPS_MAX)
    if (digest === '') throw missing('sitemap')
    reply.type(XML)
    if (isKnown(request, reply, JSON.stringify([VERSION, digest, urls.root('')])))
      return reply.code(304).send()
    return reply.send(request.method === 'HEAD' ? undefined : streamOf(renderSitemapIndex(services)))
  })

  app.get(`${SITEMAP_PREFIX}*`, async (request, reply) => {
    const [, spaceId = ''] = FILE.exec(pathParameter(request, '*')) ?? []
    const at = await findSpaceFor({ ...services, principal: ANONYMOUS, proofs: NO_PROOFS }, spaceId)
    if (at?.space.visibility !== 'public') throw missing('sitemap')
    const root = at.space.root_hash.toString('hex')
    const depends = [VERSION, root, await contents.digest(spaceId, root, SIGHT), urls.space(spaceId)]
    reply.type(XML)
    if (isKnown(request, reply, JSON.stringify(depends))) return reply.code(304).send()
    if (request.method === 'HEAD') return reply.send()
    const content = await contents.shown(spaceId, root, SIGHT)
    return reply.send(streamOf(renderSitemap(services, { spaceId, content })))
  })
}

const streamOf = (pieces: AsyncIterable<string>): Readable => Readable.from(pieces, { objectMode: false })

/**
 * `depends` names everything that the answer is made of, so a 304 makes nothing. Asked again each time: what is not
 * public any more is not to be named by a cache.
 */
function isKnown(request: FastifyRequest, reply: FastifyReply, depends: string): boolean {
  const etag = `"${sha256(depends)}"`
  reply.header('cache-control', 'no-cache').header('etag', `W/${etag}`)
  return matchesEtag(request.headers['if-none-match'], etag)
}
