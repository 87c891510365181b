// Where a browser is sent back to a client: exactly an address that the client has named, but for the port of a
// program on the person's own machine (RFC 8252 §7.3).

const CHARACTERS_MAX = 1024
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
/** What a browser would run, read or send itself, instead of handing it to a program (RFC 8252 §7.1). */
const NO_PROGRAMS: ReadonlySet<string> = new Set([
  ...['javascript:', 'data:', 'vbscript:', 'blob:', 'about:', 'file:', 'filesystem:', 'view-source:'],
  ...['ftp:', 'ws:', 'wss:', 'mailto:', 'tel:', 'sms:'],
])

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && LOOPBACK.has(hostname)

/** https; http of the machine itself; or a scheme that a program on it has taken. */
export function isRedirectUri(text: string): boolean {
  const url = text.length > CHARACTERS_MAX || !/^[\x21-\x7e]+$/.test(text) ? null : URL.parse(text)
  if (url === null || text.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'http:') return isLoopback(url)
  return !NO_PROGRAMS.has(url.protocol)
}

export function matchesRedirect(asked: string, named: string): boolean {
  if (asked === named) return true
  if (!isRedirectUri(asked) || !isRedirectUri(named)) return false
  const one = new URL(asked)
  const other = new URL(named)
  if (!isLoopback(one) || !isLoopback(other)) return false
  one.port = ''
  other.port = ''
  return one.href === other.href
}

/** Who is sent the code: the host of a website, or null for a program on the person's own machine. */
export function hostOfRedirect(uri: string): string | null {
  const url = URL.parse(uri)
  return url?.protocol === 'https:' ? url.host : null
}
