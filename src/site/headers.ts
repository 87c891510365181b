// Headers of every HTML reply of the reader. Content is hostile until proven otherwise: even if markup of a page got
// past the sanitiser, nothing inline runs, no foreign script or style is loaded, and no form is sent elsewhere.
import { PLAYER_ORIGINS } from '../engines/markdown/html/values.ts'

/**
 * Pictures and videos may be foreign (documentation links to them); everything that could act is this server's own.
 * There is no `unsafe-inline`: templates and content use classes and attributes only.
 */
export const READER_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https: http:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ')

export const READER_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': READER_CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
}

type PolicyOf = { readonly html: string; readonly origins?: readonly string[] }

/**
 * The policy of a page: frames of the players that its cards may become, and connections to the servers to which its
 * readers may send requests. The hosts in `origins` contain no characters with a meaning in a policy.
 */
export function policyOf({ html, origins: sentTo = [] }: PolicyOf): string {
  const base =
    sentTo.length === 0
      ? READER_CONTENT_SECURITY_POLICY
      : READER_CONTENT_SECURITY_POLICY.replace("connect-src 'self'", `connect-src 'self' ${sentTo.join(' ')}`)
  const origins = PLAYER_ORIGINS.filter(origin => html.includes(` data-player="${origin}/`))
  return origins.length === 0 ? base : `${base}; frame-src ${origins.join(' ')}`
}
