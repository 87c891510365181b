// Where outgoing requests may go. Every request this server makes on somebody's behalf (git, specifications, files,
// webhooks) is checked here first: a host is refused if one of its addresses is not on the public internet, unless
// the operator allows it. The checked addresses are returned, so that the connection goes to them and nowhere else.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Failure, invalid, unavailable } from '../base/errors.ts'
import { type Address, createLookups, type Resolve } from './lookups.ts'

type Ip = ipaddr.IPv4 | ipaddr.IPv6

export type { Address, Resolve } from './lookups.ts'

/** A host that may be contacted, with all of its addresses. `host` is in canonical form, without brackets. */
export type CheckedHost = {
  readonly host: string
  /** Whether `host` is itself an address. */
  readonly isLiteral: boolean
  /** At least one. */
  readonly addresses: readonly Address[]
}

export interface AddressGuard {
  /**
   * The addresses of a host name, IPv4 or IPv6 literal, in any spelling a URL allows (`0x7f.1`, `[::1]`).
   *
   * @throws Failure invalid `address_refused` if any of them is private and not allowed; unavailable
   * `host_unresolved` if there are none.
   */
  check(host: string): Promise<CheckedHost>
  /** Whether `address`, which `host` resolved to, may be connected to. */
  allows(host: string, address: string): boolean
}

const RESOLVE_MILLISECONDS_MAX = 10_000
const ADDRESSES_MAX = 32

const systemResolve = createLookups()

// Public-range addresses that answer only inside a cloud: Azure's WireServer.
const INSIDE_ONLY = new Set(['168.63.129.16'])

/** `allow`: host names, addresses and CIDRs, as in OCTAVO_ALLOW_PRIVATE_HOSTS. */
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

/**
 * Whether the operator allowed this host, or the network of this address: then it is one of theirs, and may be
 * reached by plain http.
 */
export function isAllowedHost(allow: readonly string[], host: string): boolean {
  const { names, isAllowed } = readAllowed(allow)
  const name = canonicalHost(host) ?? ''
  const ip = parseAddress(name)
  return names.has(name) || (ip !== undefined && isAllowed(ip))
}

/** Whether an entry of OCTAVO_ALLOW_PRIVATE_HOSTS can ever allow anything. */
export const isHostOrNetwork = (entry: string): boolean =>
  parseNetwork(entry) !== undefined || canonicalHost(entry) !== undefined

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

// The address itself goes to the log only: in an answer it would tell a stranger what a private name resolves to.
export const addressRefused = (host: string, address: string): Failure =>
  invalid(
    'address_refused',
    `${quote(host)} is on a private or reserved network, where requests are not sent. ` +
      'The operator of this server can allow it with OCTAVO_ALLOW_PRIVATE_HOSTS.',
    new Error(`refused address ${address}`),
  )

/**
 * A host as a URL spells it (lower case, punycode, every IPv4 spelling as four decimals), without brackets and
 * trailing dot; undefined if a URL cannot contain it.
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

// `10.0.0.0/8`, `fd00::/8`, or a single address as its own network.
function parseNetwork(entry: string): [Ip, number] | undefined {
  try {
    // An IPv6 network may stand in brackets, as its addresses do in a URL.
    if (entry.includes('/')) return ipaddr.parseCIDR(entry.replace(/^\[(.*)\]\//, '$1/'))
    const ip = parseAddress(canonicalHost(entry) ?? '')
    return ip === undefined ? undefined : [ip, ip.kind() === 'ipv6' ? 128 : 32]
  } catch {
    return undefined
  }
}

// Of IPv6, only 2000::/3 is assigned to the public internet; the rest of `unicast` is unassigned.
function isPublic(ip: Ip): boolean {
  if (ip.range() !== 'unicast' || INSIDE_ONLY.has(ip.toString())) return false
  return ip.kind() === 'ipv4' || (ip.toByteArray()[0] ?? 0) >> 5 === 1
}

const quote = (host: string): string => JSON.stringify(host.slice(0, 255))
