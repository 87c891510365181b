// What the signed address of a print view or a PDF file opens. The address is the key: it is checked, and nobody has to
// sign in.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PRINT_VIEW_SECONDS, type PrintAddress, readPrintAddress } from '../../api/print/address.ts'
import { openPrinted } from '../../api/print/opening.ts'
import { now } from '../../base/clock.ts'
import type { Services } from '../../http/context.ts'
import type { Urls } from '../../http/urls.ts'
import type { SigningKeys } from '../../platform/keys/signing-keys.ts'
import { renderNotice } from '../notice-pages.ts'
import { queryParameter } from '../parameters.ts'
import { visitorOf } from '../session.ts'
import { shellOf } from '../shell.ts'
import { answerMissing, answerVisit, type Site } from '../visits.ts'
import type { PrintView } from './document.ts'
import { planPrint } from './plan.ts'

/** Calls `answer` with what the address opens, or sends a page that says why it opens nothing. */
export async function answerPrinted(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (view: PrintView) => Promise<unknown>,
) {
  const { services } = site
  // Only signed parameters are used, whatever else is in the query.
  const address = readPrintAddress(services.signingKey, request.params as never, request.query as never)
  reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer')
  if (address === undefined) return answerNothing(site, request, reply)
  if (address.expiresAt <= now()) return answerExpired(site, request, reply)
  const view = await findView(services, address)
  return view === undefined ? answerNothing(site, request, reply) : answer(view)
}

/** Redirects from a page of the reader to an address that a member of the space may share. */
export function servePrintLinks(
  pages: FastifyInstance,
  site: Site,
  name: 'print' | 'pdf',
  toUrl: (urls: Urls, signingKey: SigningKeys, address: PrintAddress) => string,
): void {
  pages.get(`/s/:spaceId/~/${name}`, async (request, reply) => {
    const { services } = site
    const visitor = await visitorOf(services, request)
    return answerVisit(site, request, reply, visitor, async visit => {
      const page = queryParameter(request, 'page')
      const record = page === undefined ? undefined : visit.content.pages.get(page)
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
      const { pathname, search } = new URL(toUrl(services.urls, services.signingKey, address))
      return reply.header('cache-control', 'no-store').redirect(pathname + search, 303)
    })
  })
}

/** What the address opens; undefined if it no longer works, or its page does not exist. */
async function findView(services: Services, address: PrintAddress): Promise<PrintView | undefined> {
  const opened = await openPrinted(services, address)
  if (opened === undefined) return undefined
  const { space, revision, changeRequest, sight } = opened
  const content = await services.contents.shown(space.id, revision.root_hash.toString('hex'), sight)
  if (address.page !== null && !content.pages.has(address.page)) return undefined
  return {
    space,
    revisionId: revision.id,
    content,
    sight,
    page: address.page,
    isAlone: address.isAlone,
    pages: planPrint(content, address.page, address.isAlone),
    createdAt: revision.created_at,
    changeRequest: changeRequest?.number ?? null,
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
      title: 'This address has expired',
      words: 'It was valid for an hour. Get a new one where you got this one.',
    }),
  )
}
