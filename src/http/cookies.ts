// The cookies of a browser. Those of this server have names that say whether they are sent over https alone.
import type { IncomingHttpHeaders } from 'node:http'
import { percentDecode } from '../base/percent-decode.ts'
import type { Config } from '../platform/config.ts'

type Site = Pick<Config, 'publicUrl'>
type Asking = { readonly headers: IncomingHttpHeaders }

// A secret has 43 characters; much longer values are not looked up.
const SECRET_CHARACTERS_MAX = 128
const SESSION = 'session'

/** Whether browsers use https, according to the configuration. */
export const isSecureSite = ({ publicUrl }: Site): boolean => publicUrl.startsWith('https:')

/**
 * The name of one of our cookies. With the prefix, a browser accepts it only over https and for this very host, so that
 * neither a neighbouring host nor somebody on the network can plant one.
 */
const cookieName = (name: string, isSecure: boolean): string =>
  isSecure ? `__Host-octavo_${name}` : `octavo_${name}`

/** The session secret that the browser sends, valid or not. */
export const sessionSecretOf = (site: Site, request: Asking): string | undefined =>
  readCookie(request, SESSION, isSecureSite(site))

/** One of our cookies; none if it is sent with two values, one of which somebody else has planted. */
export function readCookie({ headers }: Asking, name: string, isSecure: boolean): string | undefined {
  const ours = cookieName(name, isSecure)
  let found: string | undefined
  for (const [one, value] of eachCookie(headers.cookie)) {
    if (one !== ours) continue
    if (found !== undefined && found !== value) return undefined
    found = value
  }
  return found === undefined || found === '' || found.length > SECRET_CHARACTERS_MAX ? undefined : found
}

export const readCookies = (header: string | undefined): Map<string, string> => new Map(eachCookie(header))

function* eachCookie(header: string | undefined): Generator<readonly [string, string]> {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0) yield [pair.slice(0, at).trim(), percentDecode(pair.slice(at + 1).trim())]
  }
}

/** `value` may only have characters that a cookie allows, as secrets do. */
export const writeCookie = (name: string, value: string, seconds: number, isSecure: boolean): string =>
  `${cookieName(name, isSecure)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`

export const writeSession = (site: Site, secret: string, seconds: number): string =>
  writeCookie(SESSION, secret, seconds, isSecureSite(site))

/** Takes the session's cookie from the browser. */
export const writeNoSession = (site: Site): string => writeSession(site, '', 0)
