// Who reads in a browser. A visitor signs in with a personal token, which stays in a cookie that scripts cannot read.
// The cookie opens the reader only, which changes nothing; the API never looks at it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS, type UserPrincipal } from '../access/principal.ts'
import { coversScope } from '../access/scopes.ts'
import type { Services } from '../http/context.ts'
import type { Theme } from './view.ts'

const TOKEN_COOKIE = 'octavo_token'
const THEME_COOKIE = 'octavo_theme'
const MONTH_SECONDS = 30 * 24 * 3600
const READING_SCOPE = 'space:read'

/** The visitor by the cookie; one whose token does not cover reading is nobody. */
export async function visitorOf(
  services: Pick<Services, 'principals'>,
  request: FastifyRequest,
): Promise<UserPrincipal | typeof ANONYMOUS> {
  const token = readCookies(request.headers.cookie).get(TOKEN_COOKIE)
  return token === undefined ? ANONYMOUS : ((await findReader(services, token)) ?? ANONYMOUS)
}

export async function findReader({ principals }: Pick<Services, 'principals'>, token: string) {
  const principal = await principals.find(token)
  return principal?.kind === 'user' && coversScope(principal.scopes, READING_SCOPE) ? principal : undefined
}

export function signIn(reply: FastifyReply, token: string, isSecure: boolean): void {
  reply.header('set-cookie', cookie(encodeURIComponent(token), MONTH_SECONDS, isSecure))
}

export function signOut(reply: FastifyReply, isSecure: boolean): void {
  reply.header('set-cookie', cookie('', 0, isSecure))
}

const cookie = (value: string, seconds: number, isSecure: boolean): string =>
  `${TOKEN_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`

export function themeOf(request: FastifyRequest): Theme {
  const theme = readCookies(request.headers.cookie).get(THEME_COOKIE)
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

function readCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0) cookies.set(pair.slice(0, at).trim(), decode(pair.slice(at + 1).trim()))
  }
  return cookies
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Where to go after signing in: a path of this server and nothing else. Browsers read `\` as `/` and skip tabs and
 * line breaks wherever they stand, so the address is read as they do before it is believed.
 */
export function readNext(text: unknown): string {
  if (typeof text !== 'string' || !text.startsWith('/') || !URL.canParse(text, HERE)) return '/'
  const { origin, pathname, search, hash } = new URL(text, HERE)
  // a path that begins with two slashes would be a host again when it is sent
  return origin === HERE && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/'
}

const HERE = 'http://reader.invalid'
