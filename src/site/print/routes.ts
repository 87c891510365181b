// Print views in the browser.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toPrintUrl } from '../../api/print/address.ts'
import { Failure } from '../../base/errors.ts'
import { toPrintPolicy } from '../headers.ts'
import { renderNotice } from '../notice-pages.ts'
import { visitorOf } from '../session.ts'
import { shellOf } from '../shell.ts'
import type { Site } from '../visits.ts'
import { printedFrom, renderPrint } from './document.ts'
import { answerPrinted, servePrintLinks } from './signed-links.ts'

const RETRY_SECONDS = 30

export function servePrint(pages: FastifyInstance, site: Site): void {
  const { services, assets, keptAnswers } = site
  servePrintLinks(pages, site, 'print', toPrintUrl)
  pages.get('/print/:spaceId/:revisionId/:seconds/:signature', (request, reply) =>
    answerPrinted(site, request, reply, async view => {
      const key = JSON.stringify(['print', assets.printStyles, await printedFrom(services, view)])
      try {
        const { stream, secret } = await keptAnswers.open(key, view.space.id, made =>
          renderPrint(services, view, assets.printStyles, made),
        )
        const policy = toPrintPolicy(String(reply.getHeader('content-security-policy')), secret)
        return reply.header('content-security-policy', policy).send(stream)
      } catch (error) {
        if (error instanceof Failure && error.code === 'busy') return answerBusy(site, request, reply)
        throw error
      }
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
        words: 'Others are being prepared right now. Reload this page in half a minute.',
      }),
    )
}
