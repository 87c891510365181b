// Comparing two maps at some keys only: entered are the subtrees that have one of the keys and differ. So the cost is
// that of what is asked for or of what differs, whichever is less.
import {
  type AnyRecord,
  type Entry,
  equalRecords,
  type Hash,
  type Key,
  type Leaf,
  type Node,
} from './records.ts'
import type { ObjectReads } from './store.ts'
import type { EntryChange } from './trie-diff.ts'
import { childAt, EMPTY_LEAF, type KeyPath, loadNodes, pathOfKey, slotAt } from './trie-nodes.ts'

type Wanted = { readonly key: Key; readonly path: KeyPath }

// A subtree that was not read yet, or a leaf: where it stands higher up than on the other side, it goes down with it.
type Side = Hash | Leaf
type Place = { readonly before: Side; readonly after: Side; readonly wanted: readonly Wanted[] }

/** Those of the keys under which the maps `before` and `after` have different records, ascending by key. */
export async function diffEntriesAt(
  store: ObjectReads,
  before: Hash,
  after: Hash,
  keys: Iterable<Key>,
): Promise<EntryChange[]> {
  const changes: EntryChange[] = []
  const wanted = [...new Set(keys)].map(key => ({ key, path: pathOfKey(key) }))
  let places: Place[] = before === after || wanted.length === 0 ? [] : [{ before, after, wanted }]
  for (let depth = 0; places.length > 0; depth++) {
    const hashes = places
      .flatMap(place => [place.before, place.after])
      .filter(side => typeof side === 'string')
    const nodes = await loadNodes(store, hashes)
    const open = (side: Side): Node => (typeof side === 'string' ? (nodes.get(side) as Node) : side)
    places = places.flatMap(place => {
      const [a, b] = [open(place.before), open(place.after)]
      if (a.kind === 'inner' || b.kind === 'inner') return enter(a, b, place.wanted, depth)
      changes.push(...compare(a, b, place.wanted))
      return []
    })
  }
  return changes.sort((a, b) => (a.key < b.key ? -1 : 1))
}

function enter(a: Node, b: Node, wanted: readonly Wanted[], depth: number): Place[] {
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

const compare = (a: Leaf, b: Leaf, wanted: readonly Wanted[]): EntryChange[] =>
  wanted
    .map(({ key }) => ({ key, before: recordIn(a, key), after: recordIn(b, key) }))
    .filter(change => !equalRecords(change.before, change.after))

const recordIn = (leaf: Leaf, key: Key): AnyRecord | null =>
  leaf.entries.find(([name]: Entry) => name === key)?.[1] ?? null
