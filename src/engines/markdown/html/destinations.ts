// Where a link may lead. Everything that content names as an address passes here before it becomes an attribute.

import { isLinkScheme, schemeOf } from '../../../base/link-schemes.ts'

const isImageScheme = (scheme: string): boolean => scheme === 'http' || scheme === 'https'

/** Nobody follows longer links, and each browser cuts them elsewhere. */
const DESTINATION_LENGTH_MAX = 8_192

/**
 * The address as a browser would read it, when following it cannot run anything: relative, or of an allowed scheme.
 * Browsers drop control characters and newlines inside an address before they look for its scheme
 * (URL standard, basic URL parser), so they are dropped before it is judged here.
 */
export const safeHref = (destination: string): string | undefined => safe(destination, isLinkScheme)

/** The same for what is loaded into the page: pictures over http(s) or from this server, nothing else. */
export const safeSource = (destination: string): string | undefined => safe(destination, isImageScheme)

function safe(destination: string, isAllowed: (scheme: string) => boolean): string | undefined {
  const address = asBrowsersRead(destination)
  if (address === '' || address.length > DESTINATION_LENGTH_MAX) return undefined
  const scheme = schemeOf(address)
  if (scheme === undefined) return address
  // The sanitiser knows schemes in lower case.
  return isAllowed(scheme) ? `${scheme}${address.slice(address.indexOf(':'))}` : undefined
}

const asBrowsersRead = (destination: string): string =>
  destination
    .slice(0, DESTINATION_LENGTH_MAX + 1)
    .replace(/[\0-\x1f\x7f-\x9f]/g, '')
    .trim()

/** The scheme of an address that is not followed because of it. */
export function refusedScheme(destination: string): string | undefined {
  const scheme = schemeOf(asBrowsersRead(destination))
  return scheme === undefined || isLinkScheme(scheme) ? undefined : scheme
}
