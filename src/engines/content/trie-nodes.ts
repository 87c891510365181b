// The shape of the trie: where a key belongs, when a subtree is a leaf, and how its nodes are fetched.
//
// A subtree with at most LEAF_ENTRIES_MAX entries is a leaf; a larger one parts its entries by five bits of
// SHA-256(key). The shape depends on the entries alone, so equal maps have equal roots whatever the order of edits.
import { hash } from 'node:crypto'
import { assert } from '../../base/assert.ts'
import { inSlices } from '../../base/slices.ts'
import { decodeNode, encodeNode, popCount } from './objects.ts'
import type { Hash, Inner, Key, Leaf, Node } from './records.ts'
import type { ObjectReads } from './store.ts'

export const LEAF_ENTRIES_MAX = 16
export const SLOTS = 32
const SLOT_BITS = 5
const DEPTH_MAX = 51 // 51 × 5 bits use up a hash of 256

export const EMPTY_LEAF: Leaf = { kind: 'leaf', entries: [] }

/** The root of the empty map. Known to everybody, so it is neither stored nor fetched. */
export const EMPTY_ROOT: Hash = encodeNode(EMPTY_LEAF).hash

/** The way of a key through the trie: its SHA-256, read five bits at a time. */
export type KeyPath = Uint8Array

// UTF-8 spells every lone surrogate alike, so keys that differ in one would share their whole way. Their JSON
// differs, and no key begins with a quotation mark.
export const pathOfKey = (key: Key): KeyPath =>
  hash('sha256', key.isWellFormed() ? key : JSON.stringify(key), 'buffer')

export function slotAt(path: KeyPath, depth: number): number {
  assert(depth < DEPTH_MAX, 'two keys of the trie have one hash')
  const bit = depth * SLOT_BITS
  const byte = bit >>> 3
  const pair = ((path[byte] as number) << 8) | (path[byte + 1] ?? 0)
  return (pair >>> (16 - SLOT_BITS - (bit & 7))) & (SLOTS - 1)
}

/** The child in a slot, or undefined. */
export function childAt(inner: Inner, slot: number): Hash | undefined {
  const bit = 1 << slot
  return (inner.bitmap & bit) === 0 ? undefined : inner.children[popCount(inner.bitmap & (bit - 1))]
}

/** The nodes of one level in one round trip (none for no hashes). Throws when the store has lost one. */
export async function loadNodes(store: ObjectReads, hashes: readonly Hash[]): Promise<Map<Hash, Node>> {
  const wanted = [...new Set(hashes)].filter(hash => hash !== EMPTY_ROOT)
  const nodes = wanted.length === 0 ? new Map<Hash, Node>() : await fetchNodes(store, wanted)
  for (const hash of wanted) assert(nodes.has(hash), `node ${hash} is not in the store`)
  if (wanted.length < hashes.length) nodes.set(EMPTY_ROOT, EMPTY_LEAF)
  return nodes
}

async function fetchNodes(store: ObjectReads, hashes: readonly Hash[]): Promise<Map<Hash, Node>> {
  if (store.getNodes !== undefined) return new Map(await store.getNodes(hashes))
  const nodes = new Map<Hash, Node>()
  for await (const [hash, body] of inSlices(await store.getMany(hashes)))
    nodes.set(hash, decodeNode(hash, body))
  return nodes
}

/**
 * The same store, remembering the nodes it has answered: for one operation that reads a trie several times. Everything
 * it has read stays in memory until it is dropped.
 */
export function rememberNodes(store: ObjectReads): ObjectReads {
  const known = new Map<Hash, Node>()
  return {
    getMany: hashes => store.getMany(hashes),
    async getNodes(hashes) {
      const unknown = hashes.filter(hash => !known.has(hash))
      for (const [hash, node] of await loadNodes(store, unknown)) known.set(hash, node)
      const found = new Map<Hash, Node>()
      for (const hash of hashes) found.set(hash, known.get(hash) as Node)
      return found
    },
  }
}
