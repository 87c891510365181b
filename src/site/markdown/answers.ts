// Markdown over HTTP: a page, the list of a space's pages, and the text of all pages.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { indexOf } from '../../api/content/index-of-content.ts'
import { readText } from '../../api/content/reads.ts'
import { findVersionsDigest } from '../../api/openapi-specs/rows.ts'
import { sha256 } from '../../base/canonical.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import { matchesEtag } from '../../http/cached-body.ts'
import { VERSION } from '../../platform/version.ts'
import { isUnlisted, toSpaceView } from '../views.ts'
import type { Site, Visit } from '../visits.ts'
import { renderAllTexts, renderList } from './llms.ts'
import { renderText } from './text.ts'

const MARKDOWN = 'text/markdown; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'

/** A page. Its canonical link names the address in HTML. */
export async function answerMarkdown(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { space, base, content, sight }: Visit,
  id: string,
  record: PageRecord,
) {
  const { services } = site
  if (isUnlisted(space, base, record)) reply.header('x-robots-tag', 'noindex')
  else {
    const { paths } = indexOf(content)
    reply.header('link', `<${services.urls.page(space.id, paths.get(id) ?? '')}>; rel="canonical"`)
  }
  const written = record.document === null ? '' : await readText(services, record.document, content)
  const { text } = await renderText(site, { spaceId: space.id, base, content, sight }, record, written)
  reply.type(MARKDOWN)
  return isKnown(request, reply, `"${sha256(text)}"`) ? reply.code(304).send() : reply.send(text)
}

/** The documents of a space for programs, by path. */
export const LISTS = ['llms.txt', 'llms-full.txt'] as const
export type ListName = (typeof LISTS)[number]

/** The validator is weak and derived from the inputs, so a 304 renders nothing. */
export async function answerList(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { space, root, content, sight }: Visit,
  name: ListName,
) {
  const { services, keptAnswers } = site
  reply.type(PLAIN)
  const key = JSON.stringify([
    name,
    VERSION,
    services.signingKey.id,
    root,
    content.expansion?.digest ?? '',
    name === 'llms-full.txt' ? [sight, await findVersionsDigest(services.db, space, sight)] : '',
    toSpaceView(space).title,
    services.urls.space(space.id),
  ])
  if (isKnown(request, reply, `"${sha256(key)}"`, 'W/')) return reply.code(304).send()
  if (request.method === 'HEAD') return reply.send()
  if (name === 'llms.txt')
    return reply.send(Readable.from(renderList(services, { space, content }), { objectMode: false }))
  const { stream } = await keptAnswers.open(key, space.id, made =>
    renderAllTexts(site, { space, content, sight }, made),
  )
  return reply.send(stream)
}

function isKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  weakness: 'W/' | '' = '',
): boolean {
  reply.header('etag', weakness + etag)
  return matchesEtag(request.headers['if-none-match'], etag)
}
