// The one thing the content engine asks of the outside: a place that keeps immutable bytes under their hash.
import type { Hash } from './records.ts'

export type StoredObject = {
  readonly hash: Hash
  readonly kind: 'document' | 'node'
  readonly body: Uint8Array
}

/**
 * Append-only, content-addressed. Every implementation passes `store.conformance.ts`.
 *
 * - `getMany` answers every hash it has in one round trip; a hash it does not have is absent from the map.
 * - `putMany` keeps every object in one round trip; putting an object that is there already is no error and keeps
 *   the bytes that were there.
 * - Bodies are not changed by anyone after they were put or got.
 */
export interface ObjectStore {
  getMany(hashes: readonly Hash[]): Promise<Map<Hash, Uint8Array>>
  hasMany(hashes: readonly Hash[]): Promise<Set<Hash>>
  putMany(objects: readonly StoredObject[]): Promise<void>
}
