// Comparing two maps at some keys only: it enters only subtrees that differ and contain one of the keys. The cost is
// bounded by the number of keys and by the size of the difference.
import {
  type AnyRecord,
  type Entry,
  type EntryChange,
  equalRecords,
  type Hash,
  type Key,
  type KindOf,
  type Leaf,
  type Node,
} from './records.ts'
import type { ObjectReads } from './store.ts'
import { childAt, EMPTY_LEAF, type KeyPath, loadNodes, pathOfKey, slotAt } from './trie-nodes.ts'

type KeyWithPath = { readonly key: Key; readonly path: KeyPath }

// A subtree that was not read yet, or a leaf. A leaf that is higher up than the other side's nodes descends with them.
type Side = Hash | Leaf
type Subtrees = { readonly before: Side; readonly after: Side; readonly wanted: readonly KeyWithPath[] }

/** The changes at those of the keys on which `before` and `after` differ, ascending by key. */
export async function diffEntriesAt<K extends Key>(
  store: ObjectReads,
  before: Hash,
  after: Hash,
  keys: Iterable<K>,
): Promise<EntryChange<KindOf<K>>[]> {
  const changes: EntryChange[] = []
  const wanted = [...new Set(keys)].map(key => ({ key, path: pathOfKey(key) }))
  let places: Subtrees[] = before === after || wanted.length === 0 ? [] : [{ before, after, wanted }]
  for (let depth = 0; places.length > 0; depth++) {
    const hashes = places
      .flatMap(place => [place.before, place.after])
      .filter(side => typeof side === 'string')
    const nodeOf = await loadNodes(store, hashes)
    const open = (side: Side): Node => (typeof side === 'string' ? nodeOf(side) : side)
    places = places.flatMap(place => {
      const [a, b] = [open(place.before), open(place.after)]
      if (a.kind === 'inner' || b.kind === 'inner') return enter(a, b, place.wanted, depth)
      changes.push(...compare(a, b, place.wanted))
      return []
    })
  }
  // Only changes at these keys were collected.
  return changes.sort((a, b) => (a.key < b.key ? -1 : 1)) as EntryChange<KindOf<K>>[]
}

function enter(a: Node, b: Node, wanted: readonly KeyWithPath[], depth: number): Subtrees[] {
  const bySlot = Map.groupBy(wanted, ({ path }) => slotAt(path, depth))
  const places = [...bySlot].map(([slot, below]) => ({
    before: sideAt(a, slot),
    after: sideAt(b, slot),
    wanted: below,
  }))
  return places.filter(place => place.before !== place.after)
}

const sideAt = (node: Node, slot: number): Side =>
  node.kind === 'leaf' ? node : (childAt(node, slot) ?? EMPTY_LEAF)

const compare = (a: Leaf, b: Leaf, wanted: readonly KeyWithPath[]): EntryChange[] =>
  wanted
    .map(({ key }) => ({ key, before: recordIn(a, key), after: recordIn(b, key) }))
    .filter(change => !equalRecords(change.before, change.after))

const recordIn = (leaf: Leaf, key: Key): AnyRecord | null =>
  leaf.entries.find(([name]: Entry) => name === key)?.[1] ?? null
