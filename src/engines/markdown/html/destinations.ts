// Where a link may lead. Everything that content names as an address passes here before it becomes an attribute.

const LINK_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel'])
const IMAGE_SCHEMES: ReadonlySet<string> = new Set(['http', 'https'])

/** Nobody follows longer links, and each browser cuts them elsewhere. */
const DESTINATION_LENGTH_MAX = 8_192

/**
 * The address as a browser would read it, when following it cannot run anything: relative, or of an allowed scheme.
 * Browsers drop control characters and newlines inside an address before they look for its scheme
 * (URL standard, basic URL parser), so they are dropped before it is judged here.
 */
export const safeHref = (destination: string): string | undefined => safe(destination, LINK_SCHEMES)

/** The same for what is loaded into the page: pictures over http(s) or from this server, nothing else. */
export const safeSource = (destination: string): string | undefined => safe(destination, IMAGE_SCHEMES)

function safe(destination: string, schemes: ReadonlySet<string>): string | undefined {
  const address = destination
    .slice(0, DESTINATION_LENGTH_MAX + 1)
    .replace(/[\0-\x1f\x7f-\x9f]/g, '')
    .trim()
  if (address === '' || address.length > DESTINATION_LENGTH_MAX) return undefined
  const scheme = schemeOf(address)
  if (scheme === undefined) return address
  return schemes.has(scheme) ? address : undefined
}

/** The scheme in lower case; undefined for a relative address. Anything odd before the first colon is a scheme too. */
function schemeOf(address: string): string | undefined {
  const colon = address.search(/[:/?#\\]/)
  return colon > 0 && address[colon] === ':' ? address.slice(0, colon).trim().toLowerCase() : undefined
}
