// The only dependency of the content engine: a store that keeps immutable bytes under their hash.
import type { Hash, Node } from './records.ts'

export type StoredObject = {
  readonly hash: Hash
  readonly kind: 'document' | 'node'
  readonly body: Uint8Array
}

/**
 * Append-only, content-addressed. Every implementation passes `store.conformance.ts`.
 *
 * - `getMany` answers every hash it has in one round trip; a hash it does not have is absent from the map.
 * - `putMany` keeps every object in one round trip; putting an existing object is not an error and keeps the bytes
 *   that were there.
 * - Nobody changes a body after it was put or got.
 */
export interface ObjectStore {
  getMany(hashes: readonly Hash[]): Promise<Map<Hash, Uint8Array>>
  hasMany(hashes: readonly Hash[]): Promise<Set<Hash>>
  putMany(objects: readonly StoredObject[]): Promise<void>
}

/**
 * A store that keeps decoded nodes. Nodes are shared and immutable; an unknown hash is absent from the map.
 */
export interface NodeSource {
  getNodes(hashes: readonly Hash[]): Promise<Map<Hash, Node>>
}

/** A store that caches objects which were committed elsewhere, without reading them. */
export interface WrittenObjects {
  remember(objects: readonly StoredObject[]): void
}

/** What reads need. If a store is also a NodeSource, nodes are read from that. */
export type ObjectReads = Pick<ObjectStore, 'getMany'> & Partial<NodeSource>

/** A store in memory: for tests, and for work that is thrown away. */
export function memoryStore(): ObjectStore {
  const bodies = new Map<Hash, Uint8Array>()
  return {
    async getMany(hashes) {
      const found = new Map<Hash, Uint8Array>()
      for (const hash of hashes) {
        const body = bodies.get(hash)
        if (body !== undefined) found.set(hash, body)
      }
      return found
    },
    async hasMany(hashes) {
      return new Set(hashes.filter(hash => bodies.has(hash)))
    },
    async putMany(objects) {
      for (const { hash, body } of objects) if (!bodies.has(hash)) bodies.set(hash, body)
    },
  }
}
