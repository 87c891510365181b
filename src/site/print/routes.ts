// Print views in the browser. The address is the key: it is checked, and nobody is asked who they are.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  PRINT_VIEW_SECONDS,
  type PrintAddress,
  readPrintAddress,
  toPrintUrl,
} from '../../api/print/address.ts'
import { openPrinted } from '../../api/print/opening.ts'
import { now } from '../../base/clock.ts'
import { newSecret } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import { READER_HEADERS } from '../headers.ts'
import type { Highlighter } from '../highlight.ts'
import { LongAnswers } from '../long-answers.ts'
import { renderNotice } from '../missing.ts'
import { visitorOf } from '../session.ts'
import { shellOf } from '../shell.ts'
import { answerMissing, answerVisit, type Site } from '../visits.ts'
import { type PrintView, renderPrint } from './document.ts'
import { planPrint } from './plan.ts'

const PRINTS = { atOnceMax: 4, ofOneMax: 2, millisecondsMax: 10 * 60_000 }
const RETRY_SECONDS = 30

export function servePrint(pages: FastifyInstance, site: Site, highlighter: Highlighter): void {
  servePrintLinks(pages, site)
  const prints = new LongAnswers(PRINTS)
  pages.get('/print/:spaceId/:revisionId/:seconds/:signature', async (request, reply) => {
    const { services } = site
    const address = readPrintAddress(services.signingKey, request.params as never, request.query as never)
    reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer')
    if (address === undefined) return answerNothing(site, request, reply)
    if (address.expiresAt <= now()) return answerExpired(site, request, reply)
    const view = await findView(services, address)
    if (view === undefined) return answerNothing(site, request, reply)
    const styles = { text: site.assets.printStyles, nonce: newSecret() }
    const stream = prints.begin(request.ip, renderPrint(services, highlighter, view, styles))
    if (stream === undefined) return answerBusy(site, request, reply)
    return reply.headers(printHeaders(styles.nonce)).send(stream)
  })
}

/** From a page of the reader to a print view that somebody who belongs to the space may give away. */
function servePrintLinks(pages: FastifyInstance, site: Site): void {
  pages.get('/s/:spaceId/~/print', async (request, reply) => {
    const { services } = site
    const visitor = await visitorOf(services, request)
    return answerVisit(site, request, reply, visitor, async visit => {
      const { page } = request.query as { page?: unknown }
      const record = typeof page === 'string' ? visit.content.pages.get(page) : undefined
      const isThere = page === undefined || record?.type === 'document' || record?.type === 'group'
      if (!visit.isMember || visitor.kind !== 'user' || !isThere)
        return answerMissing(site, request, reply, visitor, visit)
      const address = {
        spaceId: visit.space.id,
        revisionId: visit.space.revision_id,
        page: typeof page === 'string' ? page : null,
        isAlone: false,
        makerId: visitor.user.id,
        expiresAt: new Date(now().getTime() + PRINT_VIEW_SECONDS * 1000),
      }
      const { pathname, search } = new URL(toPrintUrl(services.urls, services.signingKey, address))
      return reply.header('cache-control', 'no-store').redirect(pathname + search, 303)
    })
  })
}

/** As everywhere in the reader, but the styles stand in the document, so that it can be kept as a file. */
function printHeaders(nonce: string): Record<string, string> {
  const policy = String(READER_HEADERS['content-security-policy'])
    .replace("script-src 'self'", "script-src 'none'")
    .replace("style-src 'self'", `style-src 'nonce-${nonce}'`)
  return { 'content-security-policy': policy }
}

/** What the address opens; undefined when it opens nothing any more, or its page is not there. */
async function findView(services: Services, address: PrintAddress): Promise<PrintView | undefined> {
  const opened = await openPrinted(services, address)
  if (opened === undefined) return undefined
  const { space, revision, changeRequest } = opened
  const content = await services.contents.get(revision.root_hash.toString('hex'))
  if (address.page !== null && !content.pages.has(address.page)) return undefined
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
