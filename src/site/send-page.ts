// How pages of the reader are sent: as 304 if the browser has them, and compressed if they contain no secret.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CachedBody, sendCachedBody, sendUncompressed } from '../http/cached-body.ts'
import type { Shell } from './layout/view.ts'

export const HTML_TYPE = 'text/html; charset=utf-8'

/** A page for a user who is signed in contains the token of their forms. */
export const sendPage = (
  reply: FastifyReply,
  request: FastifyRequest,
  { visitor }: Pick<Shell, 'visitor'>,
  body: CachedBody,
) => (visitor === null ? sendCachedBody(reply, request, body) : sendUncompressed(reply, request, body))

/** The same for a page that is made for one answer. */
export const sendMarkup = (
  reply: FastifyReply,
  request: FastifyRequest,
  shell: Pick<Shell, 'visitor'>,
  markup: string,
) => sendPage(reply.header('vary', 'Accept-Encoding, Cookie'), request, shell, bodyOf(markup))

/** The same, uncompressed, for a page that repeats words of its address beside text that not everyone may read. */
export const sendPrivateMarkup = (reply: FastifyReply, request: FastifyRequest, markup: string) =>
  sendUncompressed(reply.header('vary', 'Cookie'), request, bodyOf(markup))

const bodyOf = (markup: string) => new CachedBody(Buffer.from(markup), HTML_TYPE)
