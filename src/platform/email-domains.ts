// Whether an email domain belongs to an organization. It does if the operator says so, or if the owner of the domain
// published that organization's token in the DNS: a TXT record (RFC 1035 §3.3.14). Nothing is stored: the DNS is
// queried when it matters, so removing a record revokes what it opened. A failed query proves nothing.

import { createHmac, type KeyObject } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { monotonicMs } from '../base/clock.ts'
import { inSlices } from '../base/slices.ts'
import type { SigningKeys } from '../platform/keys/signing-keys.ts'

export type ProofRecord = { readonly name: string; readonly value: string }

export interface EmailDomains {
  /** The TXT record that proves that `domain` belongs to the organization. */
  recordOf(organizationId: string, domain: string): ProofRecord
  /** The organizations that the domain is proven for, by one query. Never throws. */
  provenOf(organizationIds: readonly string[], domain: string): Promise<string[]>
  /** Never throws, and answers in time. */
  isProven(organizationId: string, domain: string): Promise<boolean>
}

const ASKING_MILLISECONDS_MAX = 5000
const RECORDS_MAX = 100
const ANSWERS_KEPT_MAX = 1000
const PROVEN_KEPT_MILLISECONDS = 5 * 60_000
// Short, because somebody who has just published the record asks again.
const UNPROVEN_KEPT_MILLISECONDS = 5000
const TOKEN_CHARACTERS = 32

export type EmailDomainSettings = {
  /** Domains that any organization may claim; `*` for all. */
  readonly trusted: readonly string[]
  /** Name servers, `address` or `address:port`; empty for the system's. */
  readonly servers: readonly string[]
  readonly signingKey: SigningKeys
  /** How long a query may take. */
  readonly askingMsMax?: number
}

export function createEmailDomains({
  trusted,
  servers,
  signingKey,
  askingMsMax = ASKING_MILLISECONDS_MAX,
}: EmailDomainSettings): EmailDomains {
  const isTrusted = trusted.includes('*') ? () => true : (domain: string) => trusted.includes(domain)
  const answers = new LRUCache<string, Answer>({ max: ANSWERS_KEPT_MAX, ttl: PROVEN_KEPT_MILLISECONDS })
  const ask = (name: string): Answer => {
    const answer = { values: valuesAt(servers, name, askingMsMax), askedAt: monotonicMs() }
    answers.set(name, answer)
    return answer
  }
  const recordOf = (organizationId: string, domain: string): ProofRecord => ({
    name: nameOf(domain),
    value: recordValue(signingKey.current, organizationId, domain),
  })
  const provenOf = async (organizationIds: readonly string[], domain: string): Promise<string[]> => {
    if (isTrusted(domain)) return [...organizationIds]
    const name = nameOf(domain)
    const find = async ({ values }: Answer): Promise<string[]> => {
      const there = await values
      const found: string[] = []
      for await (const id of inSlices(there.size === 0 ? [] : organizationIds))
        if (signingKey.accepted.some(key => there.has(recordValue(key, id, domain)))) found.push(id)
      return found
    }
    const known = answers.get(name)
    const found = known === undefined ? [] : await find(known)
    const isNew = known !== undefined && monotonicMs() - known.askedAt < UNPROVEN_KEPT_MILLISECONDS
    return found.length > 0 || isNew ? found : find(ask(name))
  }
  return {
    recordOf,
    provenOf,
    isProven: async (organizationId, domain) => (await provenOf([organizationId], domain)).length > 0,
  }
}

type Answer = { readonly values: Promise<ReadonlySet<string>>; readonly askedAt: number }

const recordValue = (key: KeyObject, organizationId: string, domain: string): string =>
  `octavo-domain=${createHmac('sha256', key)
    .update(JSON.stringify(['email-domain', organizationId, domain]))
    .digest('hex')
    .slice(0, TOKEN_CHARACTERS)}`

const nameOf = (domain: string): string => `_octavo.${domain}`

/** The TXT records of a name, each with its parts joined; none if the query fails. */
async function valuesAt(
  servers: readonly string[],
  name: string,
  askingMsMax: number,
): Promise<ReadonlySet<string>> {
  const resolver = new Resolver({ timeout: askingMsMax / 2, tries: 1 })
  const deadline = setTimeout(() => resolver.cancel(), askingMsMax)
  try {
    if (servers.length > 0) resolver.setServers(servers)
    const records = await resolver.resolveTxt(name)
    return new Set(records.slice(0, RECORDS_MAX).map(parts => parts.join('')))
  } catch {
    return new Set()
  } finally {
    clearTimeout(deadline)
  }
}
