// The common part of requests of git clients, whether they fetch or push.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../../base/errors.ts'
import { toErrorReply } from '../../http/failures.ts'

export type RemoteRequest = {
  Params: { repository: string }
  Querystring: { service?: string }
  Body: unknown
}

export const NOT_KEPT = { 'cache-control': 'no-cache' } as const

export const spaceOf = ({ params }: FastifyRequest<RemoteRequest>): string =>
  params.repository.replace(/\.git$/, '')

/** Aborted when the client leaves. */
export function leavingOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  const leave = () => leaving.abort(unavailable('client_left', 'The client left before it was answered.'))
  if (raw.destroyed) leave()
  else raw.once('close', leave)
  return leaving.signal
}

/** Git sends names and passwords (RFC 7617): the token is the password, or else the name. */
export function bearerOf(header: string | undefined): string | undefined {
  const [, encoded] = /^basic +([\w+/=-]+) *$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return header
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  const password = colon === -1 ? '' : text.slice(colon + 1)
  return `Bearer ${password === '' ? text.slice(0, colon === -1 ? undefined : colon) : password}`
}

/** As text, which git shows to the user. */
export function errorHandler(error: Error, request: FastifyRequest, reply: FastifyReply) {
  const { status, headers, body, isBug } = toErrorReply(error)
  if (isBug) request.log.error({ err: error }, 'unexpected')
  const challenge = status === 401 ? { 'www-authenticate': 'Basic realm="octavo"' } : {}
  return reply
    .code(status)
    .headers({ ...headers, ...challenge, 'content-type': 'text/plain; charset=utf-8' })
    .send(`${body.error.message}\n`)
}
