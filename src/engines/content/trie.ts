// Reading the Merkle map: some entries, all of them, their number, or how two maps differ. Each level of the trie takes
// one round trip, regardless of the number of keys. trie-edits.ts changes a map.
import { addUnder } from '../../base/lists.ts'
import { inSlices, pause } from '../../base/slices.ts'
import {
  type AnyRecord,
  type Entry,
  type EntryChange,
  equalRecords,
  type Hash,
  isPageKey,
  type Key,
  type Node,
  type RecordOf,
} from './records.ts'
import type { ObjectReads } from './store.ts'
import { childAt, type KeyPath, loadNodes, pathOfKey, SLOTS, slotAt } from './trie-nodes.ts'

export { applyEdits } from './trie-edits.ts'
export { EMPTY_ROOT, rememberNodes } from './trie-nodes.ts'

type KeyWithPath = { readonly key: Key; readonly path: KeyPath }

/** The records under these keys, in the order of the keys; a key without one is absent from the map. */
export async function readEntries<K extends Key>(
  store: ObjectReads,
  root: Hash,
  keys: Iterable<K>,
): Promise<Map<K, RecordOf<K>>> {
  const found = new Map<Key, AnyRecord>()
  let level = new Map<Hash, KeyWithPath[]>()
  const asked = new Set(keys)
  const wanted: KeyWithPath[] = []
  for await (const key of inSlices(asked)) wanted.push({ key, path: pathOfKey(key) })
  if (wanted.length > 0) level.set(root, wanted)
  for (let depth = 0; level.size > 0; depth++) {
    const nodeOf = await loadNodes(store, [...level.keys()])
    const below = new Map<Hash, KeyWithPath[]>()
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
  wanted: readonly KeyWithPath[],
  depth: number,
  found: Map<Key, AnyRecord>,
  below: Map<Hash, KeyWithPath[]>,
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
    addUnder(below, child, want)
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

// One side of a position in both tries: a subtree that was not read yet, or the entries that belong there, when this
// side has a leaf higher up.
type Side = Hash | readonly Entry[]
type Pair = readonly [before: Side, after: Side]

const NOTHING: readonly Entry[] = []

/**
 * The changes that turn the map `before` into `after`, ascending by key. Both are walked together, level by level,
 * skipping subtrees with equal hashes.
 */
export async function diffEntries(store: ObjectReads, before: Hash, after: Hash): Promise<EntryChange[]> {
  const changes: EntryChange[] = []
  let pairs: Pair[] = before === after ? [] : [[before, after]]
  for (let depth = 0; pairs.length > 0; depth++) {
    const hashes = pairs.flat().filter(side => typeof side === 'string')
    const nodeOf = await loadNodes(store, hashes)
    const below: Pair[] = []
    for await (const [a, b] of inSlices(pairs))
      compare(open(a, nodeOf), open(b, nodeOf), depth, below, changes)
    pairs = below
  }
  return changes.sort((a, b) => (a.key < b.key ? -1 : 1))
}

const open = (side: Side, nodeOf: (hash: Hash) => Node): Node =>
  typeof side === 'string' ? nodeOf(side) : { kind: 'leaf', entries: side }

function compare(a: Node, b: Node, depth: number, below: Pair[], changes: EntryChange[]): void {
  if (a.kind === 'leaf' && b.kind === 'leaf') {
    compareEntries(a.entries, b.entries, changes)
    return
  }
  const sidesA = sidesOf(a, depth)
  const sidesB = sidesOf(b, depth)
  for (let slot = 0; slot < SLOTS; slot++) {
    const sideA = sidesA(slot)
    const sideB = sidesB(slot)
    if (sideA !== sideB) below.push([sideA, sideB])
  }
}

function sidesOf(node: Node, depth: number): (slot: number) => Side {
  if (node.kind === 'inner') return slot => childAt(node, slot) ?? NOTHING
  const parted = new Map<number, Entry[]>()
  for (const entry of node.entries) {
    const slot = slotAt(pathOfKey(entry[0]), depth)
    addUnder(parted, slot, entry)
  }
  return slot => parted.get(slot) ?? NOTHING
}

function compareEntries(a: readonly Entry[], b: readonly Entry[], changes: EntryChange[]): void {
  const rest = new Map(b)
  for (const [key, before] of a) {
    const after = rest.get(key) ?? null
    rest.delete(key)
    if (!equalRecords(before, after)) changes.push({ key, before, after })
  }
  for (const [key, after] of rest) changes.push({ key, before: null, after })
}
