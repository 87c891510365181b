// Reading what was made and not yet put.
import { inSlices } from '../../base/slices.ts'
import { decodeNode } from './objects.ts'
import type { Hash, Node } from './records.ts'
import type { ObjectReads, StoredObject } from './store.ts'
import { loadNodes } from './trie-nodes.ts'

/** `store` as it will be once `made` is put: a new revision can be read, diffed and checked before anyone sees it. */
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
      const below = hashes.filter(hash => !objects.has(hash))
      const found = new Map<Hash, Node>(await loadNodes(store, below))
      for await (const hash of inSlices(hashes)) {
        const object = objects.get(hash)
        if (object !== undefined) found.set(hash, decodeNode(hash, object.body))
      }
      return found
    },
  }
}
