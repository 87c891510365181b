// Who reads in a browser: the person of the session whose secret is in the cookie. Scripts cannot read the cookie,
// forms of other sites do not send it, and the API ignores it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS, type UserPrincipal } from '../access/principal.ts'
import { coversScope } from '../access/scopes.ts'
import { SESSION_DAYS_MAX } from '../api/sessions/actions.ts'
import { percentDecode } from '../base/percent-decode.ts'
import type { Services } from '../http/context.ts'
import type { Config } from '../platform/config.ts'
import type { Theme } from './layout/view.ts'

const THEME_COOKIE = 'octavo_theme'
const DAY_SECONDS = 24 * 3600
const READING_SCOPE = 'space:read'
// A secret has 43 characters; much longer values are not looked up.
const SECRET_CHARACTERS_MAX = 128

/** Whether browsers use https, according to the configuration. */
export const isSecureSite = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean =>
  publicUrl.startsWith('https:')

/**
 * The name of one of our cookies. With the prefix, a browser accepts it only over https and for this very host, so that
 * neither a neighbouring host nor somebody on the network can plant one.
 */
const cookieName = (name: string, isSecure: boolean): string =>
  isSecure ? `__Host-octavo_${name}` : `octavo_${name}`

const SESSION = 'session'

/** The visitor by the cookie; a session that does not cover reading counts as none. */
export async function visitorOf(
  services: Pick<Services, 'principals' | 'config'>,
  request: FastifyRequest,
): Promise<UserPrincipal | typeof ANONYMOUS> {
  const secret = sessionSecretOf(services.config, request)
  const principal = secret === undefined ? undefined : await services.principals.findSession(secret)
  return principal !== undefined && coversScope(principal.scopes, READING_SCOPE) ? principal : ANONYMOUS
}

/** The session secret that the browser sends, valid or not. */
export const sessionSecretOf = (
  config: Pick<Config, 'publicUrl'>,
  request: FastifyRequest,
): string | undefined => readCookie(request, SESSION, isSecureSite(config))

/** Puts the browser into the session of this secret (from `beginSession`). */
export function setSessionCookie(reply: FastifyReply, secret: string, isSecure: boolean): void {
  setCookie(reply, SESSION, secret, SESSION_DAYS_MAX * DAY_SECONDS, isSecure)
}

export function clearSessionCookie(reply: FastifyReply, isSecure: boolean): void {
  setCookie(reply, SESSION, '', 0, isSecure)
}

/** `value` may only have characters that a cookie allows, as secrets do. */
export function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  seconds: number,
  isSecure: boolean,
): void {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
  reply.header('set-cookie', `${cookieName(name, isSecure)}=${value}; ${attributes}`)
}

export function readCookie(request: FastifyRequest, name: string, isSecure: boolean): string | undefined {
  const value = readCookies(request.headers.cookie).get(cookieName(name, isSecure))
  return value === undefined || value === '' || value.length > SECRET_CHARACTERS_MAX ? undefined : value
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

export function readCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0) cookies.set(pair.slice(0, at).trim(), percentDecode(pair.slice(at + 1).trim()))
  }
  return cookies
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
