// Clients whose id is the https address of a document about them (OAuth Client ID Metadata Document). Only people who
// are signed in cause a request, which goes through the address guard and follows no redirect.
import { LRUCache } from 'lru-cache'
import { Failure } from '../../base/errors.ts'
import { ownMember } from '../../base/objects.ts'
import { entries } from '../../platform/cache/cache.ts'
import type { Outgoing } from '../../platform/fetch.ts'
import { type Client, isRefused, readMetadata } from './clients.ts'

const ADDRESS_CHARACTERS_MAX = 512
const BYTES_MAX = 16 * 1024
const DEADLINE_MS = 5000
// A document that its owner changes counts after so long; one that could not be read is not asked for in between.
const KEPT_MS = 5 * 60_000
const FAILED_MS = 10_000
const DOCUMENTS_MAX = 500

/** Why a document counts for nothing, for the person who was sent here. */
export type UnreadDocument = { readonly words: string }

export interface ClientDocuments {
  get(address: string): Promise<Client | UnreadDocument>
}

/** Whether the id of a client is such an address. */
export const isDocumentAddress = (id: string): boolean => id.startsWith('https://')

export function createClientDocuments(outgoing: Outgoing): ClientDocuments {
  const kept = new LRUCache<string, Promise<Client | UnreadDocument>>(entries(DOCUMENTS_MAX))
  return {
    get(address) {
      const known = kept.get(address)
      if (known !== undefined) return known
      const reading = readDocument(outgoing, address)
      kept.set(address, reading, { ttl: KEPT_MS })
      void reading.then(
        read => 'words' in read && kept.set(address, reading, { ttl: FAILED_MS }),
        () => kept.delete(address),
      )
      return reading
    },
  }
}

async function readDocument(outgoing: Outgoing, address: string): Promise<Client | UnreadDocument> {
  if (!isPlain(address)) return { words: 'Its id is no address that a client may have.' }
  let body: unknown
  try {
    const answer = await outgoing.fetch(address, {
      headers: { accept: 'application/json' },
      bytesMax: BYTES_MAX,
      deadlineMs: DEADLINE_MS,
      redirectsMax: 0,
    })
    if (answer.status !== 200) return { words: `The server that describes it answers ${answer.status}.` }
    body = JSON.parse(answer.body.toString('utf8'))
  } catch (error) {
    if (error instanceof Failure) return { words: error.message }
    if (error instanceof SyntaxError) return { words: 'What describes it is no JSON.' }
    throw error
  }
  if (ownMember(body, 'client_id') !== address) return { words: 'What describes it names another client_id.' }
  const method = ownMember(body, 'token_endpoint_auth_method') ?? 'none'
  if (method !== 'none' || ownMember(body, 'client_secret') !== undefined)
    return { words: 'It wants to prove who it is in a way that is not known here.' }
  const read = await readMetadata(body)
  return isRefused(read) ? { words: read.words } : { id: address, kind: 'document', ...read }
}

/** As it is written, browsers and servers read it alike: https, a path, no user, query, fragment or dots. */
function isPlain(address: string): boolean {
  const url = address.length > ADDRESS_CHARACTERS_MAX ? null : URL.parse(address)
  return (
    url !== null &&
    url.href === address &&
    url.protocol === 'https:' &&
    url.pathname !== '/' &&
    url.username + url.password + url.search + url.hash === ''
  )
}
