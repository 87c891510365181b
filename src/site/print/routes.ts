// Print views in the browser.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toPrintUrl } from '../../api/print/address.ts'
import { newSecret } from '../../base/ids.ts'
import { toPrintPolicy } from '../headers.ts'
import type { Highlighter } from '../highlight.ts'
import { LongAnswers } from '../long-answers.ts'
import { renderNotice } from '../notice-pages.ts'
import { visitorOf } from '../session.ts'
import { shellOf } from '../shell.ts'
import type { Site } from '../visits.ts'
import { renderPrint } from './document.ts'
import { answerPrinted, servePrintLinks } from './signed-links.ts'

const PRINTS = { atOnceMax: 4, ofOneMax: 2, millisecondsMax: 10 * 60_000 }
const RETRY_SECONDS = 30

export function servePrint(pages: FastifyInstance, site: Site, highlighter: Highlighter): void {
  servePrintLinks(pages, site, 'print', toPrintUrl)
  const prints = new LongAnswers(PRINTS)
  pages.get('/print/:spaceId/:revisionId/:seconds/:signature', (request, reply) =>
    answerPrinted(site, request, reply, async view => {
      const styles = { text: site.assets.printStyles, nonce: newSecret() }
      const stream = prints.begin(request.ip, renderPrint(site, highlighter, view, styles))
      if (stream === undefined) return answerBusy(site, request, reply)
      const policy = toPrintPolicy(String(reply.getHeader('content-security-policy')), styles.nonce)
      return reply.header('content-security-policy', policy).send(stream)
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
