// Reading objects that are not stored yet.
import { inSlices } from '../../base/slices.ts'
import { decodeNode } from './objects.ts'
import type { Hash, Node } from './records.ts'
import type { ObjectReads, StoredObject } from './store.ts'
import { loadNodes } from './trie-nodes.ts'

/** `store` as if `made` were stored: a new revision can be read, diffed and checked before it is visible. */
export function overlay(store: ObjectReads, made: readonly StoredObject[]): ObjectReads {
  const objects = new Map(made.map(object => [object.hash, object]))
  return {
    async getMany(hashes) {
      const below = hashes.filter(hash => !objects.has(hash))
      const found = below.length === 0 ? new Map<Hash, Uint8Array>() : await store.getMany(below)
      for (const hash of hashes) {
        const object = objects.get(hash)
        if (object !== undefined) found.set(hash, object.body)
      }
      return found
    },
    async getNodes(hashes) {
      const loaded = await loadNodes(
        store,
        hashes.filter(hash => !objects.has(hash)),
      )
      const found = new Map<Hash, Node>()
      for await (const hash of inSlices(hashes)) {
        const object = objects.get(hash)
        found.set(hash, object === undefined ? loaded(hash) : decodeNode(hash, object.body))
      }
      return found
    },
  }
}
