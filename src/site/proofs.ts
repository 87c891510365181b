// A visitor's proof for one space: the key of a share link, or a token from the space's own server. It arrives once in
// an address, and stays in a cookie that is sent only to the pages of that space and that scripts cannot read.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Proofs, VISITOR_TOKEN_CHARACTERS_MAX } from '../access/proofs.ts'
import { spaceHref } from '../api/rendering/addresses.ts'
import { isSecureSite, readCookies } from '../http/cookies.ts'
import type { Config } from '../platform/config.ts'
import { queryParameter } from './parameters.ts'

/** The names that share links and the servers of spaces use. */
const PARAMETERS = { shareKey: 'shareKey', visitorToken: 'jwt_token' } as const
type Kind = keyof typeof PARAMETERS
const KINDS: readonly Kind[] = ['shareKey', 'visitorToken']
// Each visit checks the proof again, so a cookie may outlive it.
const COOKIE_SECONDS = 30 * 24 * 60 * 60

type Site = Pick<Config, 'publicUrl'>

const cookieName = (site: Site, kind: Kind, spaceId: string): string =>
  `${isSecureSite(site) ? '__Secure-' : ''}octavo_${kind === 'shareKey' ? 'share' : 'visitor'}_${spaceId}`

/** The proofs in the cookies of the space. */
export function proofsOf(site: Site, request: FastifyRequest, spaceId: string): Proofs {
  const cookies = readCookies(request.headers.cookie)
  const read = (kind: Kind) => bounded(cookies.get(cookieName(site, kind, spaceId)))
  return { shareKey: read('shareKey'), visitorToken: read('visitorToken') }
}

/** The proofs in the address; undefined if there are none. */
export function proofsInAddress(request: FastifyRequest): Proofs | undefined {
  const shareKey = queryParameter(request, PARAMETERS.shareKey)
  const visitorToken = queryParameter(request, PARAMETERS.visitorToken)
  return shareKey === undefined && visitorToken === undefined
    ? undefined
    : { shareKey: bounded(shareKey), visitorToken: bounded(visitorToken) }
}

// Only the characters of keys and tokens, which a cookie may contain unescaped.
const bounded = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= VISITOR_TOKEN_CHARACTERS_MAX && /^[\w.-]+$/.test(value)
    ? value
    : null

/** The path of the address, without proofs: safe for a history, a log or a Referer header. */
export function cleanPath(request: FastifyRequest): string {
  const { pathname, searchParams } = new URL(request.url, 'http://reader.invalid')
  for (const kind of KINDS) searchParams.delete(PARAMETERS[kind])
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}

/** Makes the browser send these to the pages of the space from now on. */
export function keepProofs(site: Site, reply: FastifyReply, spaceId: string, proofs: Proofs): void {
  const attributes = `Path=${spaceHref(spaceId)}; HttpOnly; SameSite=Lax; Max-Age=${COOKIE_SECONDS}`
  for (const kind of KINDS) {
    const value = proofs[kind]
    if (value === null) continue
    const secure = isSecureSite(site) ? '; Secure' : ''
    reply.header('set-cookie', `${cookieName(site, kind, spaceId)}=${value}; ${attributes}${secure}`)
  }
}
