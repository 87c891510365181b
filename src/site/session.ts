// Who reads in a browser: the person of the session whose secret is in the cookie. Scripts cannot read the cookie, and
// forms of other sites do not send it. When the API takes it is in http/workspace-session.ts.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS, type UserPrincipal } from '../access/principal.ts'
import { coversScope } from '../access/scopes.ts'
import { SESSION_DAYS_MAX } from '../api/sessions/actions.ts'
import type { Services } from '../http/context.ts'
import { readCookies, sessionSecretOf, writeCookie, writeNoSession, writeSession } from '../http/cookies.ts'
import type { Config } from '../platform/config.ts'
import type { Theme } from './layout/view.ts'

type Site = Pick<Config, 'publicUrl'>

const THEME_COOKIE = 'octavo_theme'
const DAY_SECONDS = 24 * 3600
const READING_SCOPE = 'space:read'

/** The visitor by the cookie; a session that does not cover reading counts as none. */
export async function visitorOf(
  services: Pick<Services, 'principals' | 'config'>,
  request: FastifyRequest,
): Promise<UserPrincipal | typeof ANONYMOUS> {
  const secret = sessionSecretOf(services.config, request)
  const principal = secret === undefined ? undefined : await services.principals.findSession(secret)
  return principal !== undefined && coversScope(principal.scopes, READING_SCOPE) ? principal : ANONYMOUS
}

/** Puts the browser into the session of this secret (from `beginSession`). */
export const setSessionCookie = (site: Site, reply: FastifyReply, secret: string) =>
  reply.header('set-cookie', writeSession(site, secret, SESSION_DAYS_MAX * DAY_SECONDS))

export const clearSessionCookie = (site: Site, reply: FastifyReply) =>
  reply.header('set-cookie', writeNoSession(site))

/** `value` may only have characters that a cookie allows, as secrets do. */
export function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  seconds: number,
  isSecure: boolean,
): void {
  reply.header('set-cookie', writeCookie(name, value, seconds, isSecure))
}

/** The person of a token that covers reading. */
export async function findReader({ principals }: Pick<Services, 'principals'>, token: string) {
  const principal = await principals.find(token)
  return principal?.kind === 'user' && coversScope(principal.scopes, READING_SCOPE) ? principal : undefined
}

export function themeOf(request: FastifyRequest): Theme {
  const theme = readCookies(request.headers.cookie).get(THEME_COOKIE)
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/**
 * Where to go after signing in: only a path of this server. Browsers read `\` as `/` and skip tabs and line breaks
 * anywhere, so the address is parsed as they do before it is trusted.
 */
export function readNext(text: unknown): string {
  if (typeof text !== 'string' || !text.startsWith('/') || !URL.canParse(text, HERE)) return '/'
  const { origin, pathname, search, hash } = new URL(text, HERE)
  const path = `${pathname}${search}${hash}`
  // a path that begins with two slashes would be read as a host again
  return origin === HERE && !path.startsWith('//') && path.length <= NEXT_CHARACTERS_MAX ? path : '/'
}

// The address comes from forms, links, and rows that anybody can write.
const NEXT_CHARACTERS_MAX = 2048

const HERE = 'http://reader.invalid'
