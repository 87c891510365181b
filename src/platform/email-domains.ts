// Whether a mail domain belongs to an organization. It does when the operator says so, or when the owner of the domain
// wrote a word of that organization into the DNS: a TXT record (RFC 1035 §3.3.14). Nothing is stored: the DNS is asked
// when it matters, so a record that is taken away ends what it opened. What cannot be asked is not proven.
import { createHmac, type KeyObject } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { monotonicMs } from '../base/clock.ts'
import { inSlices } from '../base/slices.ts'

export type ProofRecord = { readonly name: string; readonly value: string }

export interface EmailDomains {
  /** The TXT record that proves that `domain` belongs to the organization. */
  recordOf(organizationId: string, domain: string): ProofRecord
  /** Those of the organizations that the domain is proven for, by one question. Never throws. */
  provenOf(organizationIds: readonly string[], domain: string): Promise<string[]>
  /** Never throws, and answers in time. */
  isProven(organizationId: string, domain: string): Promise<boolean>
}

const ASKING_MILLISECONDS_MAX = 5000
const RECORDS_MAX = 100
const ANSWERS_KEPT_MAX = 1000
const PROVEN_KEPT_MILLISECONDS = 5 * 60_000
// Short, because somebody who has just written the record asks again.
const UNPROVEN_KEPT_MILLISECONDS = 5000
const TOKEN_CHARACTERS = 32

export type EmailDomainSettings = {
  /** Domains of any organization that names them; `*` for all. */
  readonly trusted: readonly string[]
  /** Name servers, `address` or `address:port`; empty for those of the system. */
  readonly servers: readonly string[]
  readonly signingKey: KeyObject
  /** What a question may take. */
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
    value: `octavo-domain=${createHmac('sha256', signingKey)
      .update(JSON.stringify(['email-domain', organizationId, domain]))
      .digest('hex')
      .slice(0, TOKEN_CHARACTERS)}`,
  })
  const provenOf = async (organizationIds: readonly string[], domain: string): Promise<string[]> => {
    if (isTrusted(domain)) return [...organizationIds]
    const name = nameOf(domain)
    const find = async ({ values }: Answer): Promise<string[]> => {
      const there = await values
      const found: string[] = []
      for await (const id of inSlices(there.size === 0 ? [] : organizationIds))
        if (there.has(recordOf(id, domain).value)) found.push(id)
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

const nameOf = (domain: string): string => `_octavo.${domain}`

/** The TXT records of a name, each with its parts joined; none where it cannot be asked. */
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
