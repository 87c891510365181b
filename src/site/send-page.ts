// How pages of the reader are sent: as 304 if the browser has them, and compressed unless they repeat words of their
// address beside text that not everyone may read. None of these has a secret: a page with the token of a form is sent
// by itself.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CachedBody, sendCachedBody, sendUncompressed } from '../http/cached-body.ts'

export const HTML_TYPE = 'text/html; charset=utf-8'

/** A page that is made for one answer. */
export const sendMarkup = (reply: FastifyReply, request: FastifyRequest, markup: string) =>
  sendCachedBody(reply.header('vary', 'Accept-Encoding, Cookie'), request, bodyOf(markup))

/** The same, uncompressed, for a page that repeats words of its address beside text that not everyone may read. */
export const sendPrivateMarkup = (reply: FastifyReply, request: FastifyRequest, markup: string) =>
  sendUncompressed(reply.header('vary', 'Cookie'), request, bodyOf(markup))

const bodyOf = (markup: string) => new CachedBody(Buffer.from(markup), HTML_TYPE)
