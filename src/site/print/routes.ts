// Print views in the browser. The address is the key: it is checked, and nobody is asked who they are.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findChangeRequest } from '../../api/change-requests/rows.ts'
import { findFreshRevision } from '../../api/content/place.ts'
import { type PrintAddress, readPrintAddress } from '../../api/print/address.ts'
import { findFreshSpace } from '../../api/spaces/place.ts'
import { now } from '../../base/clock.ts'
import type { Services } from '../../http/context.ts'
import { READER_HEADERS } from '../headers.ts'
import type { Highlighter } from '../highlight.ts'
import { renderNotice } from '../missing.ts'
import { visitorOf } from '../session.ts'
import { shellOf } from '../shell.ts'
import { answerMissing, type Site } from '../visits.ts'
import { type PrintView, renderPrint } from './document.ts'
import { planPrint } from './plan.ts'

// Rendering is work for this process, and an address can be given to many: more wait until one of these is done.
const PRINTS_AT_ONCE_MAX = 4
// A reader that takes a document piece by piece for ever would hold one of the places.
const PRINT_MS_MAX = 10 * 60_000
const RETRY_SECONDS = 30

export function servePrint(pages: FastifyInstance, site: Site, highlighter: Highlighter): void {
  const styles = site.assets.printStyles
  const headers = printHeaders(styles)
  let running = 0
  pages.get('/print/:spaceId/:revisionId/:seconds/:signature', async (request, reply) => {
    const { services } = site
    const address = readPrintAddress(services.signingKey, request.params as never, request.query as never)
    reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer')
    if (address === undefined) return answerNothing(site, request, reply)
    if (address.expiresAt <= now()) return answerExpired(site, request, reply)
    const view = await findView(services, address)
    if (view === undefined) return answerNothing(site, request, reply)
    if (running >= PRINTS_AT_ONCE_MAX) return answerBusy(site, request, reply)
    running += 1
    const stream = Readable.from(renderPrint(services, highlighter, view, styles), { objectMode: false })
    const cut = setTimeout(() => stream.destroy(), PRINT_MS_MAX)
    stream.once('close', () => {
      clearTimeout(cut)
      running -= 1
    })
    return reply.headers(headers).send(stream)
  })
}

/** As everywhere in the reader, but the styles stand in the document, so that it can be kept as a file. */
function printHeaders(styles: string): Record<string, string> {
  const hash = createHash('sha256').update(styles).digest('base64')
  const policy = String(READER_HEADERS['content-security-policy'])
    .replace("script-src 'self'", "script-src 'none'")
    .replace("style-src 'self'", `style-src 'sha256-${hash}'`)
  return { 'content-security-policy': policy }
}

/** The content that the address names; undefined when its space, its revision or its page is there no more. */
async function findView(services: Services, address: PrintAddress): Promise<PrintView | undefined> {
  const space = await findFreshSpace(services, address.spaceId)
  if (space === undefined || space.deleted_at !== null) return undefined
  const revision = await findFreshRevision(services, space.id, address.revisionId)
  if (revision === undefined) return undefined
  const content = await services.contents.get(revision.root_hash.toString('hex'))
  if (address.page !== null && !content.pages.has(address.page)) return undefined
  const changeRequest =
    revision.change_request_id === null
      ? undefined
      : await findChangeRequest(services.db, revision.change_request_id)
  return {
    space,
    content,
    pages: planPrint(content, address.page, address.isAlone),
    createdAt: revision.created_at,
    proposal: changeRequest?.number ?? null,
  }
}

async function answerNothing(site: Site, request: FastifyRequest, reply: FastifyReply) {
  return answerMissing(site, request, reply, await visitorOf(site.services, request), undefined)
}

async function answerExpired(site: Site, request: FastifyRequest, reply: FastifyReply) {
  const visitor = await visitorOf(site.services, request)
  return reply.code(410).send(
    renderNotice(shellOf(site, request, visitor), {
      code: '410',
      title: 'This print view has expired',
      words: 'Its address worked for an hour. Ask for a new one where this one came from.',
    }),
  )
}

async function answerBusy(site: Site, request: FastifyRequest, reply: FastifyReply) {
  const visitor = await visitorOf(site.services, request)
  return reply
    .code(503)
    .header('retry-after', RETRY_SECONDS)
    .send(
      renderNotice(shellOf(site, request, visitor), {
        code: '503',
        title: 'Too many print views at once',
        words: 'Others are being made at this moment. Load this page again in half a minute.',
      }),
    )
}
