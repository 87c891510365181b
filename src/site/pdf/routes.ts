// PDF files under their signed addresses, and redirects to them from pages of the reader.
import { createReadStream } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { encodeRfc5987, readRange } from '../../api/content/serve-files.ts'
import { toPdfUrl } from '../../api/print/address.ts'
import { partOf } from '../../platform/blobs/store.ts'
import type { PrintView } from '../print/document.ts'
import { answerPrinted, servePrintLinks } from '../print/signed-links.ts'
import { toSpaceView } from '../views.ts'
import type { Site } from '../visits.ts'
import type { CachedFile } from './file-cache.ts'
import { createPdfFiles } from './files.ts'

export function servePdf(pages: FastifyInstance, site: Site): void {
  const files = createPdfFiles(site.services)
  // Runs before the server waits for open requests: a PDF can take minutes.
  pages.addHook('preClose', () => files.close())
  servePrintLinks(pages, site, 'pdf', toPdfUrl)
  const answer = (request: FastifyRequest, reply: FastifyReply) =>
    answerPrinted(site, request, reply, async view => {
      const { path, size } = await files.get(view)
      const name = encodeRfc5987(`${nameOf(view)}.pdf`)
      // Under a policy for pages, browsers refuse to start their PDF viewer.
      reply.removeHeader('content-security-policy').headers({
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename*=UTF-8''${name}`,
        'accept-ranges': 'bytes',
      })
      if (request.method === 'HEAD') return reply.header('content-length', size).send()
      return sendPart(reply, { path, size }, partOf(size, readRange(request.headers.range)))
    })
  pages.route({
    method: ['GET', 'HEAD'],
    url: '/pdf/:spaceId/:revisionId/:seconds/:signature',
    handler: answer,
  })
}

function sendPart(reply: FastifyReply, { path, size }: CachedFile, part: ReturnType<typeof partOf>) {
  if (part === undefined) return reply.code(416).header('content-range', `bytes */${size}`).send()
  const { first, length } = part
  const last = first + length - 1
  reply.header('content-length', length)
  if (length < size) reply.code(206).header('content-range', `bytes ${first}-${last}/${size}`)
  return reply.send(createReadStream(path, { start: first, end: last }))
}

function nameOf({ space, pages }: PrintView): string {
  const [first] = pages
  const title = toSpaceView(space).title
  return (pages.length === 1 && first !== undefined ? `${title} - ${first.record.title}` : title)
    .replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, ' ')
    .slice(0, 120)
    .trim()
}
