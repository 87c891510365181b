// Where outgoing requests may go. Everything this server asks for on somebody's behalf (git, specifications, files,
// webhooks) passes here first: a host is refused when one of its addresses is not on the public internet, unless the
// operator allowed it. What was checked is handed back, so that the connection goes there and nowhere else.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Failure, invalid, unavailable } from '../base/errors.ts'
import { type Address, createLookups, type Resolve } from './lookups.ts'

type Ip = ipaddr.IPv4 | ipaddr.IPv6

export type { Address, Resolve } from './lookups.ts'

/** A host that may be asked, and every address it has. `host` is in canonical form, without brackets. */
export type CheckedHost = {
  readonly host: string
  /** Whether `host` is an address itself. */
  readonly isLiteral: boolean
  /** At least one. */
  readonly addresses: readonly Address[]
}

export interface AddressGuard {
  /**
   * The addresses of a host name, IPv4 or IPv6 literal, in any spelling a URL allows (`0x7f.1`, `[::1]`).
   *
   * @throws Failure invalid `address_refused` when any of them is private and not allowed; unavailable
   * `host_unresolved` when there are none.
   */
  check(host: string): Promise<CheckedHost>
  /** Whether `address`, an address that `host` turned out to have, may be connected to. */
  allows(host: string, address: string): boolean
}

const RESOLVE_MILLISECONDS_MAX = 10_000
const ADDRESSES_MAX = 32

const systemResolve = createLookups()

// Addresses that a cloud answers on from inside only although they lie in the public range: Azure's WireServer.
const INSIDE_ONLY = new Set(['168.63.129.16'])

/** `allow`: host names, addresses and CIDRs as OCTAVO_ALLOW_PRIVATE_HOSTS holds them. */
export function addressGuard(allow: readonly string[], resolve: Resolve = systemResolve): AddressGuard {
  const { names, isAllowed } = readAllowed(allow)

  const allows = (host: string, address: string): boolean => {
    const ip = parseAddress(address)
    if (ip === undefined) return false
    return names.has(canonicalHost(host) ?? '') || isAllowed(ip) || isPublic(ip)
  }

  return {
    allows,
    async check(host) {
      const name = canonicalHost(host)
      if (name === undefined) throw invalid('host_invalid', `${quote(host)} is not the name of a host.`)
      const family = isIP(name)
      const addresses: readonly Address[] =
        family === 0 ? await resolveAll(name, resolve) : [{ address: name, family: family === 6 ? 6 : 4 }]
      const refused = addresses.find(({ address }) => !allows(name, address))
      if (refused !== undefined) throw addressRefused(name, refused.address)
      return { host: name, isLiteral: family !== 0, addresses }
    },
  }
}

/** Whether the operator named this host, or the network of this address: it is one of theirs, to be reached by http too. */
export function isAllowedHost(allow: readonly string[], host: string): boolean {
  const { names, isAllowed } = readAllowed(allow)
  const name = canonicalHost(host) ?? ''
  const ip = parseAddress(name)
  return names.has(name) || (ip !== undefined && isAllowed(ip))
}

function readAllowed(allow: readonly string[]) {
  const names = new Set<string>()
  const networks: [Ip, number][] = []
  for (const entry of allow) {
    const network = parseNetwork(entry)
    if (network !== undefined) networks.push(network)
    else names.add(canonicalHost(entry) ?? entry.toLowerCase())
  }
  const isAllowed = (ip: Ip): boolean =>
    networks.some(([network, bits]) => network.kind() === ip.kind() && ip.match(network, bits))
  return { names, isAllowed }
}

async function resolveAll(name: string, resolve: Resolve): Promise<readonly Address[]> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the resolver did not answer')), RESOLVE_MILLISECONDS_MAX)
  try {
    const addresses = await Promise.race([resolve(name), tooLate])
    if (addresses.length === 0) throw new Error('no address')
    if (addresses.length > ADDRESSES_MAX) throw new Error(`${addresses.length} addresses`)
    return addresses
  } catch (cause) {
    throw unavailable('host_unresolved', `The host ${quote(name)} has no address: is its name right?`, cause)
  } finally {
    clearTimeout(timer)
  }
}

// The address itself is for the log only: an answer with it would reveal to a stranger what a private name resolves to.
export const addressRefused = (host: string, address: string): Failure =>
  invalid(
    'address_refused',
    `${quote(host)} is on a private or reserved network, where requests are not sent. ` +
      'The operator of this server can allow it with OCTAVO_ALLOW_PRIVATE_HOSTS.',
    new Error(`refused address ${address}`),
  )

/**
 * A host as a URL spells it (lower case, punycode, every IPv4 spelling as four decimals), without brackets and final
 * dot; undefined for what a URL cannot contain.
 */
export function canonicalHost(host: string): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  if (bare === '' || bare.length > 255 || /[\s/?#@\\]/.test(bare)) return undefined
  const url = URL.parse(`http://${bare.includes(':') ? `[${bare}]` : bare}/`)
  if (url === null || url.port !== '' || url.username !== '') return undefined
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '') || undefined
}

function parseAddress(text: string): Ip | undefined {
  try {
    return ipaddr.process(text)
  } catch {
    return undefined
  }
}

// `10.0.0.0/8`, `fd00::/8`, or one address, which is a network of its own.
function parseNetwork(entry: string): [Ip, number] | undefined {
  try {
    if (entry.includes('/')) return ipaddr.parseCIDR(entry)
    const ip = parseAddress(canonicalHost(entry) ?? '')
    return ip === undefined ? undefined : [ip, ip.kind() === 'ipv6' ? 128 : 32]
  } catch {
    return undefined
  }
}

// Of IPv6 only 2000::/3 has been given to the public internet; the rest of `unicast` is not assigned yet.
function isPublic(ip: Ip): boolean {
  if (ip.range() !== 'unicast' || INSIDE_ONLY.has(ip.toString())) return false
  return ip.kind() === 'ipv4' || (ip.toByteArray()[0] ?? 0) >> 5 === 1
}

const quote = (host: string): string => JSON.stringify(host.slice(0, 255))
