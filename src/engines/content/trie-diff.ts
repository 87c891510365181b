// Comparing two maps: both are walked together, level by level, skipping subtrees with equal hashes.
import { inSlices } from '../../base/slices.ts'
import { type Entry, type EntryChange, equalRecords, type Hash, type Node } from './records.ts'
import type { ObjectReads } from './store.ts'
import { childAt, loadNodes, pathOfKey, SLOTS, slotAt } from './trie-nodes.ts'

// One side of a position in both tries: a subtree that was not read yet, or the entries that belong there, when this
// side has a leaf higher up.
type Side = Hash | readonly Entry[]
type Pair = readonly [before: Side, after: Side]

const NOTHING: readonly Entry[] = []

/** The changes that turn the map `before` into `after`, ascending by key. */
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
    const group = parted.get(slot)
    if (group === undefined) parted.set(slot, [entry])
    else group.push(entry)
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
