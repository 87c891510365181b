// Which host a request asks for, and that it is this server's. A page of another name that leads here could otherwise
// read answers as its own (DNS rebinding), and a cache could keep them for the wrong name.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Failure, invalid } from '../base/errors.ts'
import type { Config } from '../platform/config.ts'
import { MONITORING_PATHS } from './overload.ts'
import { pathOf } from './request-log.ts'

type Site = Pick<Config, 'publicUrl' | 'isPublicUrlSet'>

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/**
 * The path and query of a request's target. The authority of a target in absolute form takes the place of Host for all
 * that follows (RFC 9112 §3.2.2).
 */
export function readTarget(request: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const { url = '/', headers } = request
  if (url.startsWith('/')) return url
  const [before, authority] = ABSOLUTE.exec(url) ?? []
  if (before === undefined) return url
  headers.host = authority
  const rest = url.slice(before.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/**
 * Refuses a request with several Host headers or one that is none, and, where the public address is set, a request for
 * another host. To be called before routes are added.
 */
export function requireOwnHost(app: FastifyInstance, site: Site): void {
  const isOwn = site.isPublicUrlSet ? hostCheck(site.publicUrl) : () => true
  const elsewhere = misdirected(site.publicUrl)
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, rawHeaders } = request.raw
    if (!isHost(headers.host ?? '') || countHosts(rawHeaders) > 1) return done(HOST_MALFORMED)
    // Probes use whatever address the process has.
    if (MONITORING_PATHS.has(pathOf(request.url)) || isOwn(request.host)) done()
    else done(elsewhere)
  })
}

// RFC 9112 §3.2.
const HOST_MALFORMED = invalid('host_malformed', 'Host: send it once, with the name of a host.')

const misdirected = (publicUrl: string): Failure =>
  new Failure(
    'misdirected',
    'host_unknown',
    `Host: this server answers for ${new URL(publicUrl).host}, by its OCTAVO_PUBLIC_URL. Use that address; if it is the wrong one, the operator has to change OCTAVO_PUBLIC_URL.`,
  )

// RFC 3986 §3.2.2 and §3.2.3; empty where the target has no authority.
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i
const isHost = (text: string): boolean => HOST.test(text)

/** Node keeps the first one only, and drops the others from `headers`. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** Whether a host is that of the public address, or this machine's own name for itself. */
export function hostCheck(publicUrl: string): (host: string) => boolean {
  const { protocol, host: written } = new URL(publicUrl)
  // A port that is the default one of the public address is as good as none.
  const parse = (host: string): URL | undefined =>
    isHost(host) && URL.canParse(`${protocol}//${host}`) ? new URL(`${protocol}//${host}`) : undefined
  const nameOf = ({ hostname }: URL): string => hostname.replace(/(?<!\.)\.$/, '')
  const own = parse(written)
  return host => {
    if (host === written) return true
    const asked = parse(host)
    if (asked === undefined) return false
    const name = nameOf(asked)
    return isLoopback(name) || (own !== undefined && name === nameOf(own) && asked.port === own.port)
  }
}

// In the form to which URL brings every notation of an address.
const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/
/** Whether it is a name that only this machine has for itself, as URL spells it. */
export const isLoopback = (name: string): boolean => LOOPBACK.test(name)
