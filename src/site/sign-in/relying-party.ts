// The domain and the origin that passkeys are made for. Browsers take a domain, not an address of a network, and https
// or `localhost` (https://www.w3.org/TR/webauthn-3/#relying-party-identifier).
import { isIP } from 'node:net'
import type { RelyingParty } from '../../api/sessions/passkeys.ts'
import type { Config } from '../../platform/config.ts'

/** Null where browsers would make none. `host`: what was asked, which counts where no public address is set. */
export function relyingPartyOf(
  { publicUrl, isPublicUrlSet }: Pick<Config, 'publicUrl' | 'isPublicUrlSet'>,
  host: string,
): RelyingParty | null {
  const asked = isPublicUrlSet ? publicUrl : `${new URL(publicUrl).protocol}//${host}`
  if (!URL.canParse(asked)) return null
  const { protocol, hostname, origin } = new URL(asked)
  if (hostname === '' || hostname.startsWith('[') || isIP(hostname) !== 0) return null
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSecure ? { id: hostname, origin } : null
}
