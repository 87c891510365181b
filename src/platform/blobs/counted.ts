// A store for blobs that counts what is put and read.
import { Failure } from '../../base/errors.ts'
import { Tally } from '../../base/tallies.ts'
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

export function countBlobs(store: BlobStore): CountedBlobs {
  const operations = new Tally(OUTCOMES)
  const bytes = new Tally(['put', 'get'] as const)
  return {
    async put(content, options) {
      try {
        const info = await store.put(content, options)
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
        const part = await store.read(sha256, range)
        operations.add(part === undefined ? 'get missing' : 'get done')
        if (part !== undefined) bytes.add('get', part.length)
        return part
      } catch (error) {
        operations.add('get failed')
        throw error
      }
    },
    find: sha256 => store.find(sha256),
    remove: (sha256, signal) => store.remove(sha256, signal),
    claim: (installation, signal) => store.claim(installation, signal),
    removeAbandoned: before => store.removeAbandoned(before),
    list: () => store.list(),
    counts: () => ({ operations: operations.counts(), bytes: bytes.counts() }),
  }
}

/** Of what the sender did: bytes with another hash, or too many. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Failure && (error.kind === 'invalid' || error.kind === 'too_large')
