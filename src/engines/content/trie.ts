// Reading the Merkle map: some entries, all of them, or their number. Each level of the trie takes one round trip,
// regardless of the number of keys. trie-edits.ts changes a map, trie-diff.ts compares two.
import { inSlices, pause } from '../../base/slices.ts'
import { type AnyRecord, type Hash, isPageKey, type Key, type Node, type RecordOf } from './records.ts'
import type { ObjectReads } from './store.ts'
import { childAt, type KeyPath, loadNodes, pathOfKey, slotAt } from './trie-nodes.ts'

export { diffEntries } from './trie-diff.ts'
export { applyEdits } from './trie-edits.ts'
export { EMPTY_ROOT, rememberNodes } from './trie-nodes.ts'

type Wanted = { readonly key: Key; readonly path: KeyPath }

/** The records under these keys, in the order of the keys; a key without one is absent from the map. */
export async function readEntries<K extends Key>(
  store: ObjectReads,
  root: Hash,
  keys: Iterable<K>,
): Promise<Map<K, RecordOf<K>>> {
  const found = new Map<Key, AnyRecord>()
  let level = new Map<Hash, Wanted[]>()
  const asked = new Set(keys)
  const wanted: Wanted[] = []
  for await (const key of inSlices(asked)) wanted.push({ key, path: pathOfKey(key) })
  if (wanted.length > 0) level.set(root, wanted)
  for (let depth = 0; level.size > 0; depth++) {
    const nodeOf = await loadNodes(store, [...level.keys()])
    const below = new Map<Hash, Wanted[]>()
    for await (const [hash, wanted] of inSlices(level)) pickEntries(nodeOf(hash), wanted, depth, found, below)
    level = below
  }
  const inOrder = new Map<Key, AnyRecord>()
  for (const key of asked) {
    const record = found.get(key)
    if (record !== undefined) inOrder.set(key, record)
  }
  // Each record was stored under its key, so it is of that key's type.
  return inOrder as Map<K, RecordOf<K>>
}

function pickEntries(
  node: Node,
  wanted: readonly Wanted[],
  depth: number,
  found: Map<Key, AnyRecord>,
  below: Map<Hash, Wanted[]>,
): void {
  if (node.kind === 'leaf') {
    for (const { key } of wanted) {
      const entry = node.entries.find(([name]) => name === key)
      if (entry !== undefined) found.set(key, entry[1])
    }
    return
  }
  for (const want of wanted) {
    const child = childAt(node, slotAt(want.path, depth))
    if (child === undefined) continue
    const group = below.get(child)
    if (group === undefined) below.set(child, [want])
    else group.push(want)
  }
}

/** Every entry, in no particular order. */
export async function readAll(store: ObjectReads, root: Hash): Promise<Map<Key, AnyRecord>> {
  const all = new Map<Key, AnyRecord>()
  let level: readonly Hash[] = [root]
  while (level.length > 0) {
    const nodeOf = await loadNodes(store, level)
    const below: Hash[] = []
    for (const hash of level) {
      await pause()
      const node = nodeOf(hash)
      if (node.kind === 'leaf') for (const [key, record] of node.entries) all.set(key, record)
      else below.push(...node.children)
    }
    level = below
  }
  return all
}

/** Counts the entries and the pages among them, with one read. */
export async function countEntries(
  store: ObjectReads,
  root: Hash,
): Promise<{ entries: number; pages: number }> {
  const node = (await loadNodes(store, [root]))(root)
  if (node.kind === 'inner') return { entries: node.entries, pages: node.pages }
  return { entries: node.entries.length, pages: node.entries.filter(([key]) => isPageKey(key)).length }
}
