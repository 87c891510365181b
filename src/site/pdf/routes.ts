// PDF files under their signed addresses, and the ways to them from a page of the reader.
import { createReadStream } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { encodeRfc5987, readRange } from '../../api/content/serve-files.ts'
import { toPdfUrl } from '../../api/print/address.ts'
import type { Highlighter } from '../highlight.ts'
import type { PrintView } from '../print/document.ts'
import { answerPrinted, servePrintLinks } from '../print/opened.ts'
import { toSpaceView } from '../views.ts'
import type { Site } from '../visits.ts'
import { createPdfFiles } from './files.ts'

export function servePdf(pages: FastifyInstance, site: Site, highlighter: Highlighter): void {
  const files = createPdfFiles(site.services, highlighter)
  pages.addHook('onClose', () => files.close())
  servePrintLinks(pages, site, 'pdf', toPdfUrl)
  pages.get('/pdf/:spaceId/:revisionId/:seconds/:signature', (request, reply) =>
    answerPrinted(site, request, reply, async view => {
      const { path, size } = await files.get(view)
      const name = encodeRfc5987(`${nameOf(view)}.pdf`)
      reply.headers({
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename*=UTF-8''${name}`,
        'accept-ranges': 'bytes',
        'content-security-policy': "sandbox; default-src 'none'",
      })
      const range = readRange(request.headers.range)
      if (range === undefined) return reply.header('content-length', size).send(createReadStream(path))
      if (range.first >= size) return reply.code(416).header('content-range', `bytes */${size}`).send()
      const last = Math.min(range.last, size - 1)
      return reply
        .code(206)
        .headers({
          'content-length': last - range.first + 1,
          'content-range': `bytes ${range.first}-${last}/${size}`,
        })
        .send(createReadStream(path, { start: range.first, end: last }))
    }),
  )
}

function nameOf({ space, pages }: PrintView): string {
  const [first] = pages
  const title = toSpaceView(space).title
  return (pages.length === 1 && first !== undefined ? `${title} - ${first.record.title}` : title)
    .replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, ' ')
    .slice(0, 120)
    .trim()
}
