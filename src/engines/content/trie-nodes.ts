// The shape of the trie: where a key belongs, when a subtree is a leaf, and how its nodes are fetched.
//
// A subtree with at most LEAF_ENTRIES_MAX entries is a leaf; a larger one splits its entries by five bits of
// SHA-256(key). The shape depends on the entries alone, so equal maps have equal roots whatever the order of edits.
import { hash } from 'node:crypto'
import { assert } from '../../base/assert.ts'
import { inSlices } from '../../base/slices.ts'
import { decodeNode, encodeNode, popCount } from './objects.ts'
import type { Hash, Inner, Key, Leaf, Node } from './records.ts'
import type { ObjectReads, StoredObject } from './store.ts'

export const LEAF_ENTRIES_MAX = 16
export const SLOTS = 32
const SLOT_BITS = 5
const DEPTH_MAX = 51 // 51 × 5 bits use up a hash of 256

export const EMPTY_LEAF: Leaf = { kind: 'leaf', entries: [] }

/** The root of the empty map. It is never stored or fetched. */
export const EMPTY_ROOT: Hash = encodeNode(EMPTY_LEAF).hash

/** The path of a key through the trie: its SHA-256, read five bits at a time. */
export type KeyPath = Uint8Array

// UTF-8 encodes every lone surrogate as U+FFFD, so keys that differ only in one would share a path. Their JSON differs,
// and no key begins with a quotation mark.
export const pathOfKey = (key: Key): KeyPath =>
  hash('sha256', key.isWellFormed() ? key : JSON.stringify(key), 'buffer')

export function slotAt(path: KeyPath, depth: number): number {
  assert(depth < DEPTH_MAX, 'two keys of the trie have one hash')
  const bit = depth * SLOT_BITS
  const byte = bit >>> 3
  const pair = ((path[byte] ?? 0) << 8) | (path[byte + 1] ?? 0)
  return (pair >>> (16 - SLOT_BITS - (bit & 7))) & (SLOTS - 1)
}

/** The child in a slot, or undefined. */
export function childAt(inner: Inner, slot: number): Hash | undefined {
  const bit = 1 << slot
  return (inner.bitmap & bit) === 0 ? undefined : inner.children[popCount(inner.bitmap & (bit - 1))]
}

/** Loads the nodes of one level in one round trip, or none. The function it returns throws for a node that is lost. */
export async function loadNodes(store: ObjectReads, hashes: readonly Hash[]): Promise<(hash: Hash) => Node> {
  const wanted = [...new Set(hashes)].filter(hash => hash !== EMPTY_ROOT)
  const nodes = wanted.length === 0 ? new Map<Hash, Node>() : await fetchNodes(store, wanted)
  return hash => {
    const node = hash === EMPTY_ROOT ? EMPTY_LEAF : nodes.get(hash)
    assert(node !== undefined, `node ${hash} is not in the store`)
    return node
  }
}

async function fetchNodes(store: ObjectReads, hashes: readonly Hash[]): Promise<Map<Hash, Node>> {
  if (store.getNodes !== undefined) return store.getNodes(hashes)
  const nodes = new Map<Hash, Node>()
  for await (const [hash, body] of inSlices(await store.getMany(hashes)))
    nodes.set(hash, decodeNode(hash, body))
  return nodes
}

/**
 * Wraps a store in a cache of its nodes, for an operation that reads a trie several times. The cache is unbounded and
 * lives as long as the wrapper.
 */
export function rememberNodes(store: ObjectReads): ObjectReads {
  const known = new Map<Hash, Node>()
  return {
    getMany: hashes => store.getMany(hashes),
    async getNodes(hashes) {
      const loaded = await loadNodes(
        store,
        hashes.filter(hash => !known.has(hash)),
      )
      const found = new Map<Hash, Node>()
      for (const hash of hashes) {
        const node = known.get(hash) ?? loaded(hash)
        known.set(hash, node)
        found.set(hash, node)
      }
      return found
    },
  }
}

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
