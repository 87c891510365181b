// A store for blobs that counts what is put and read, and traces it.
import { Failure } from '../../base/errors.ts'
import { Tally } from '../../base/tallies.ts'
import { traced } from '../../base/traces.ts'
import type { BlobStore } from './store.ts'

type Outcome = 'put done' | 'put refused' | 'put failed' | 'get done' | 'get missing' | 'get failed'

export type BlobCounts = {
  readonly operations: ReadonlyMap<Outcome, number>
  /** A read counts what it was asked for, whether or not the client took all of it. */
  readonly bytes: ReadonlyMap<'put' | 'get', number>
}

export interface CountedBlobs extends BlobStore {
  counts(): BlobCounts
}

const OUTCOMES: readonly Outcome[] = [
  'put done',
  'put refused',
  'put failed',
  'get done',
  'get missing',
  'get failed',
]

const PUT = { name: 'blob put', kind: 'internal' } as const
/** Until the first byte. */
const GET = { name: 'blob get', kind: 'internal' } as const
const FIND = { name: 'blob find', kind: 'internal' } as const
const REMOVE = { name: 'blob remove', kind: 'internal' } as const

export function countBlobs(store: BlobStore): CountedBlobs {
  const operations = new Tally(OUTCOMES)
  const bytes = new Tally(['put', 'get'] as const)
  return {
    async put(content, options) {
      try {
        const info = await traced(PUT, () => store.put(content, options))
        operations.add('put done')
        bytes.add('put', info.size)
        return info
      } catch (error) {
        operations.add(isRefusal(error) ? 'put refused' : 'put failed')
        throw error
      }
    },
    async read(sha256, range) {
      try {
        const part = await traced(GET, () => store.read(sha256, range))
        operations.add(part === undefined ? 'get missing' : 'get done')
        if (part !== undefined) bytes.add('get', part.length)
        return part
      } catch (error) {
        operations.add('get failed')
        throw error
      }
    },
    find: sha256 => traced(FIND, () => store.find(sha256)),
    remove: (sha256, signal) => traced(REMOVE, () => store.remove(sha256, signal)),
    claim: (installation, signal) => store.claim(installation, signal),
    removeAbandoned: before => store.removeAbandoned(before),
    list: () => store.list(),
    counts: () => ({ operations: operations.counts(), bytes: bytes.counts() }),
  }
}

/** Of what the sender did: bytes with another hash, or too many. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Failure && (error.kind === 'invalid' || error.kind === 'too_large')
