// Changing the Merkle map. Edits descend to the leaves they concern, level by level; then the nodes on their paths are
// rebuilt bottom-up. Every other node keeps its hash, so the cost depends on the edits and not on the size of the map.
import { assert } from '../../base/assert.ts'
import { addUnder } from '../../base/lists.ts'
import { inSlices, pause } from '../../base/slices.ts'
import { encodeNode } from './objects.ts'
import {
  type AnyRecord,
  type Edits,
  type Entry,
  equalRecords,
  type Hash,
  type Inner,
  isPageKey,
  type Key,
  type Node,
} from './records.ts'
import type { ObjectReads, StoredObject } from './store.ts'
import {
  childAt,
  EMPTY_LEAF,
  EMPTY_ROOT,
  type KeyPath,
  LEAF_ENTRIES_MAX,
  loadNodes,
  pathOfKey,
  SLOTS,
  slotAt,
} from './trie-nodes.ts'

type Edit = { readonly key: Key; readonly path: KeyPath; readonly record: AnyRecord | null }

/** A subtree with edits in it. `children` has only the slots with edits. */
type Touched = {
  readonly hash: Hash | undefined
  readonly depth: number
  readonly edits: readonly Edit[]
  node: Node
  readonly children: Map<number, Touched>
  /** The entries of a leaf after the edits. */
  entries: readonly Entry[]
  /** Entries and pages in the subtree after the edits. */
  size: Size
  /** For an inner node that shrinks to a leaf: the entries of its children without edits. */
  gathered: Entry[] | undefined
}

type Size = { readonly entries: number; readonly pages: number }
type Built = Size & { readonly hash: Hash }

/**
 * Applies edits to a map. Returns the new root and the nodes that are new; it writes nothing, so the caller stores
 * `objects` before it publishes `root`. Edits that change nothing make no nodes.
 */
export async function applyEdits(
  store: ObjectReads,
  root: Hash,
  edits: Edits,
): Promise<{ root: Hash; objects: StoredObject[] }> {
  const sinking: Edit[] = []
  for await (const [key, record] of inSlices(edits)) sinking.push({ key, path: pathOfKey(key), record })
  if (sinking.length === 0) return { root, objects: [] }
  const top = touch(root, 0, sinking)
  await sink(store, top)
  await measure(top)
  await gather(store, top)
  const objects = new Map<Hash, StoredObject>()
  const built = await rebuild(top, objects)
  return { root: built?.hash ?? EMPTY_ROOT, objects: [...objects.values()] }
}

const touch = (hash: Hash | undefined, depth: number, edits: readonly Edit[]): Touched => ({
  hash,
  depth,
  edits,
  node: EMPTY_LEAF,
  children: new Map(),
  entries: [],
  size: { entries: 0, pages: 0 },
  gathered: undefined,
})

async function sink(store: ObjectReads, top: Touched): Promise<void> {
  let level = [top]
  while (level.length > 0) {
    const nodeOf = await loadNodes(
      store,
      level.flatMap(({ hash }) => hash ?? []),
    )
    const below: Touched[] = []
    for (const touched of level) {
      await pause()
      if (touched.hash !== undefined) touched.node = nodeOf(touched.hash)
      if (touched.node.kind === 'leaf') continue
      for (const [slot, edits] of partBySlot(touched.edits, touched.depth)) {
        const child = touch(childAt(touched.node, slot), touched.depth + 1, edits)
        touched.children.set(slot, child)
        if (child.hash !== undefined) below.push(child)
      }
    }
    level = below
  }
}

function partBySlot<T extends { readonly path: KeyPath }>(
  items: readonly T[],
  depth: number,
): Map<number, T[]> {
  const parted = new Map<number, T[]>()
  for (const item of items) {
    const slot = slotAt(item.path, depth)
    addUnder(parted, slot, item)
  }
  return parted
}

/** Edits the leaves and computes the new size of every touched subtree. */
async function measure(touched: Touched): Promise<void> {
  await pause()
  if (touched.node.kind === 'leaf') {
    touched.entries = editLeaf(touched.node.entries, touched.edits)
    touched.size = sizeOf(touched.entries)
    return
  }
  let { entries, pages } = touched.node
  for (const child of touched.children.values()) {
    await measure(child)
    const before = child.node.kind === 'leaf' ? sizeOf(child.node.entries) : child.node
    entries += child.size.entries - before.entries
    pages += child.size.pages - before.pages
  }
  touched.size = { entries, pages }
}

/** Returns the same array when no edit changes anything. */
function editLeaf(entries: readonly Entry[], edits: readonly Edit[]): readonly Entry[] {
  const records = new Map<Key, AnyRecord>(entries)
  let isChanged = false
  for (const { key, record } of edits) {
    if (equalRecords(records.get(key) ?? null, record)) continue
    isChanged = true
    if (record === null) records.delete(key)
    else records.set(key, record)
  }
  return isChanged ? [...records] : entries
}

const sizeOf = (entries: readonly Entry[]): Size => ({
  entries: entries.length,
  pages: entries.filter(([key]) => isPageKey(key)).length,
})

/** Reads the remaining entries of inner nodes that shrink to leaves: at most LEAF_ENTRIES_MAX each. */
async function gather(store: ObjectReads, top: Touched): Promise<void> {
  let level: { hash: Hash; into: Entry[] }[] = []
  const look = (touched: Touched, outer: Entry[] | undefined): void => {
    if (touched.node.kind === 'leaf') return
    const isShrinking = touched.size.entries <= LEAF_ENTRIES_MAX
    const into = outer ?? (isShrinking ? [] : undefined)
    if (outer === undefined) touched.gathered = into
    for (let slot = 0; slot < SLOTS; slot++) {
      const child = touched.children.get(slot)
      const hash = childAt(touched.node, slot)
      if (child !== undefined) look(child, into)
      else if (into !== undefined && hash !== undefined) level.push({ hash, into })
    }
  }
  look(top, undefined)
  while (level.length > 0) {
    const nodeOf = await loadNodes(
      store,
      level.map(({ hash }) => hash),
    )
    level = level.flatMap(({ hash, into }) => {
      const node = nodeOf(hash)
      if (node.kind === 'inner') return node.children.map(child => ({ hash: child, into }))
      into.push(...node.entries)
      return []
    })
  }
}

/** Rebuilds a subtree and adds its new nodes to `objects`; undefined when it is empty. */
async function rebuild(touched: Touched, objects: Map<Hash, StoredObject>): Promise<Built | undefined> {
  await pause()
  const { node, depth, hash, size } = touched
  if (node.kind === 'leaf') {
    if (touched.entries === node.entries) return hash === undefined ? undefined : { ...size, hash }
    return build(withPaths(touched.entries), depth, objects)
  }
  if (touched.gathered !== undefined) {
    return build(withPaths([...touched.gathered, ...editedEntries(touched)]), depth, objects)
  }
  const children: (Hash | undefined)[] = []
  let isChanged = false
  for (let slot = 0; slot < SLOTS; slot++) {
    const before = childAt(node, slot)
    const child = touched.children.get(slot)
    const after = child === undefined ? before : (await rebuild(child, objects))?.hash
    if (after !== before) isChanged = true
    children.push(after)
  }
  return hash === undefined || isChanged ? emitInner(children, size, objects) : { ...size, hash }
}

const editedEntries = (touched: Touched): Entry[] =>
  touched.node.kind === 'leaf'
    ? [...touched.entries]
    : [...touched.children.values()].flatMap(child => editedEntries(child))

type PathEntry = { readonly entry: Entry; readonly path: KeyPath }

const withPaths = (entries: readonly Entry[]): PathEntry[] =>
  entries.map(entry => ({ entry, path: pathOfKey(entry[0]) }))

/** Builds a subtree of these entries from scratch. */
async function build(
  items: readonly PathEntry[],
  depth: number,
  objects: Map<Hash, StoredObject>,
): Promise<Built | undefined> {
  await pause()
  if (items.length === 0) return undefined
  if (items.length <= LEAF_ENTRIES_MAX) {
    const entries = items.map(({ entry }) => entry).sort(([a], [b]) => (a < b ? -1 : 1))
    return { ...sizeOf(entries), hash: emit(encodeNode({ kind: 'leaf', entries }), objects) }
  }
  const children: (Hash | undefined)[] = new Array(SLOTS).fill(undefined)
  let pages = 0
  for (const [slot, group] of partBySlot(items, depth)) {
    const child = await build(group, depth + 1, objects)
    children[slot] = child?.hash
    pages += child?.pages ?? 0
  }
  return emitInner(children, { entries: items.length, pages }, objects)
}

function emitInner(
  slots: readonly (Hash | undefined)[],
  size: Size,
  objects: Map<Hash, StoredObject>,
): Built {
  let bitmap = 0
  const children: Hash[] = []
  slots.forEach((child, slot) => {
    if (child === undefined) return
    bitmap |= 1 << slot
    children.push(child)
  })
  assert(children.length > 0, 'an inner node has children')
  const inner: Inner = { kind: 'inner', ...size, bitmap: bitmap >>> 0, children }
  return { ...size, hash: emit(encodeNode(inner), objects) }
}

function emit(object: StoredObject, objects: Map<Hash, StoredObject>): Hash {
  objects.set(object.hash, object)
  return object.hash
}
