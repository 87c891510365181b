// Headers of every HTML reply of the reader. Content is hostile until proven otherwise: even if markup of a page got
// past the sanitiser, nothing inline runs, no foreign script or style is loaded, and no form is sent elsewhere.
import type { FastifyRequest } from 'fastify'
import { PLAYER_ORIGINS } from '../engines/markdown/html/values.ts'
import type { Config } from '../platform/config.ts'

// What somebody uploaded has an address on this server, too: scripts are named by the paths of its own.
const SCRIPT_PATHS = ['/assets/', '/docs/assets/']

type Site = Pick<Config, 'publicUrl' | 'isPublicUrlSet'>

/** Headers of a page in answer to `request`. */
export const readerHeaders = (site: Site, request: Asked): Readonly<Record<string, string>> => ({
  'content-security-policy': readerPolicy(site, request),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
})

type Asked = Pick<FastifyRequest, 'host'>

/**
 * Pictures and videos may be foreign (documentation links to them); everything that could act is this server's own.
 * There is no `unsafe-inline`: templates and content use classes and attributes only.
 */
export const readerPolicy = (site: Site, request: Asked): string =>
  [
    "default-src 'none'",
    `script-src ${scriptSources(site, request).join(' ')}`,
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: https: http:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ')

/**
 * Headers of the workspace. Styles that libraries add carry the nonce; Trusted Types keep text from becoming markup
 * except through the one policy of the script.
 */
export const workspaceHeaders = (
  site: Site,
  request: Asked,
  nonce: string,
): Readonly<Record<string, string>> => ({
  ...readerHeaders(site, request),
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${scriptSources(site, request).join(' ')}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' blob: data: https: http:",
    "connect-src 'self'",
    "worker-src 'self'",
    `frame-src 'self' ${PLAYER_ORIGINS.join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types octavo',
  ].join('; '),
})

/** Only a source with a host can have a path: the host that was asked, and that of the public address. */
function scriptSources({ publicUrl, isPublicUrlSet }: Site, { host }: Asked): string[] {
  const asked = host.toLowerCase()
  if (!isNameable(asked)) return ["'self'"]
  const own = isPublicUrlSet ? new URL(publicUrl) : undefined
  // A proxy that does not pass Host on is asked for another one than the server behind it.
  const origins = own === undefined || own.host === asked || !isNameable(own.host) ? [] : [own.origin]
  return [asked, ...origins].flatMap(origin => SCRIPT_PATHS.map(path => origin + path))
}

// CSP 3 §2.3.1 `host-part`, and §6.7.2.10: no address matches except this one.
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/
const ADDRESS = /^\d+\.\d+\.\d+\.\d+(?::|$)/
const isNameable = (host: string): boolean =>
  HOST.test(host) && (!ADDRESS.test(host) || /^127\.0\.0\.1(?::|$)/.test(host))

type Shown = { readonly html: string; readonly origins?: readonly string[] }

/**
 * `policy` for a page with frames of the players that its cards may become, and connections to the servers to which its
 * readers may send requests. The hosts in `origins` contain no characters with a meaning in a policy.
 */
export function widenPolicy(policy: string, { html, origins: sentTo = [] }: Shown): string {
  const base =
    sentTo.length === 0
      ? policy
      : policy.replace("connect-src 'self'", `connect-src 'self' ${sentTo.join(' ')}`)
  const origins = PLAYER_ORIGINS.filter(origin => html.includes(` data-player="${origin}/`))
  return origins.length === 0 ? base : `${base}; frame-src ${origins.join(' ')}`
}

/** `policy` for a document that runs nothing and embeds its styles, so that it can be saved as a file. */
export const toPrintPolicy = (policy: string, nonce: string): string =>
  policy
    .split('; ')
    .map(part =>
      part.startsWith('script-src ')
        ? "script-src 'none'"
        : part.startsWith('style-src ')
          ? `style-src 'nonce-${nonce}'`
          : part,
    )
    .join('; ')
