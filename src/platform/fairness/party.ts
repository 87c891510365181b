// On whose behalf work is done: an organization, and a person in it. Work that is slow takes turns by both.
//
// The party belongs to everything that a request or a job leads to, so it is not an argument of each function on the
// way: a request is named once its caller and its place are known, and a job runs for whoever enqueued it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { isIPv6 } from 'node:net'

export type Party = { readonly organization: string; readonly person: string }

type Named = { organization: string | undefined; person: string }

const ambient = new AsyncLocalStorage<Named>()

/** Runs everything that `run` leads to for this party. */
export const actFor = <T>({ organization, person }: Party, run: () => T): T =>
  ambient.run({ organization, person }, run)

/** Runs `run` for an unknown visitor at this network address, until `nameOrganization` and `namePerson` say more. */
export const actForVisitor = <T>(address: string, run: () => T): T =>
  ambient.run({ organization: undefined, person: networkOf(address) }, run)

/** The first organization named is the one that a request is about; what it reads besides changes nothing. */
export function nameOrganization(organization: string): void {
  const named = ambient.getStore()
  if (named !== undefined) named.organization ??= organization
}

export function namePerson(person: string): void {
  const named = ambient.getStore()
  if (named !== undefined) named.person = person
}

/** `otherwise`: the organization, where none was named. */
export function currentParty(otherwise: string): Party {
  const { organization = otherwise, person = '' } = ambient.getStore() ?? {}
  return { organization, person }
}

/** `answer`, run for the party of the caller of this function: a message of a thread belongs to nobody. */
export function forSameParty<Given, Answer>(answer: (given: Given) => Answer): (given: Given) => Answer {
  const named = ambient.getStore()
  return named === undefined ? answer : given => ambient.run(named, answer, given)
}

const NETWORK_GROUPS = 4

/** A household or an office has a /64 of IPv6 (RFC 6177), and changes addresses within it at will. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [before = '', after] = address.split('::')
  const groups = before === '' ? [] : before.split(':')
  const rest = after === undefined || after === '' ? [] : after.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0')
  return [...groups, ...zeros, ...rest].slice(0, NETWORK_GROUPS).join(':')
}
