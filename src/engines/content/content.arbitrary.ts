// Content for tests: trees that fast-check generates, and stores that hold them.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type AnyRecord, type Edits, type Hash, type Key, type PageRecord, pageKey } from './records.ts'
import { memoryStore, type ObjectReads, type ObjectStore, type StoredObject } from './store.ts'
import type { TreeProblem } from './tree-check.ts'
import { checkEdits } from './tree-check-edits.ts'
import { applyEdits, EMPTY_ROOT, rememberNodes } from './trie.ts'

/** The entries of a revision. */
export type Entries = Map<Key, AnyRecord>

// A tree is a list of numbers: page i hangs below one of the pages shortly before it, or now and then at the root.
// `width` 1 and a large `rootEvery` make long chains, so that the bound on depth is met.
const treeOf = (seeds: readonly number[], width: number, rootEvery: number): Entries => {
  const children = new Map<string | null, string[]>([[null, []]])
  const parents = new Map<string, string | null>()
  const depths = new Map<string | null, number>([[null, 0]])
  seeds.forEach((seed, i) => {
    const candidate = i === 0 || seed % rootEvery === 0 ? null : String(Math.max(0, i - 1 - (seed % width)))
    const parent = depths.get(candidate) === 32 ? null : candidate
    const id = String(i)
    parents.set(id, parent)
    depths.set(id, (depths.get(parent) ?? 0) + 1)
    children.set(id, [])
    children.get(parent)?.push(id)
  })
  const entries: Entries = new Map([['tree', { children: children.get(null) ?? [] }]])
  for (const [id, parent] of parents) {
    entries.set(pageKey(id), page({ slug: `s${id}`, parent, children: children.get(id) ?? [] }))
  }
  return entries
}

/** A page of its own; fields that a test is about are given. */
export const page = (fields: Partial<PageRecord>): PageRecord => ({
  type: 'document',
  title: 'T',
  slug: 's',
  parent: null,
  children: [],
  document: null,
  ...fields,
})

/** Valid trees of up to 60 pages with the ids '0', '1', …: flat, bushy and deep ones. */
export const tree = (): fc.Arbitrary<Entries> =>
  fc
    .tuple(
      fc.array(fc.nat(1000), { minLength: 1, maxLength: 60, size: 'max' }),
      fc.constantFrom(1, 1, 3, 20),
      fc.constantFrom(2, 7, 40, 2000),
    )
    .map(([seeds, width, rootEvery]) => treeOf(seeds, width, rootEvery))

type Commit = {
  readonly root: Hash
  /** New nodes. Store them, and the documents that the edits name, before using `root`. */
  readonly objects: readonly StoredObject[]
  /** If not empty, the tree is invalid. */
  readonly problems: readonly TreeProblem[]
}

/** Applies edits to `base`, whose tree is valid. Writes nothing. */
export async function commit(store: ObjectReads, base: Hash, edits: Edits): Promise<Commit> {
  const reads = rememberNodes(store)
  const { root, objects } = await applyEdits(reads, base, edits)
  return { root, objects, problems: root === base ? [] : await checkEdits(reads, base, edits) }
}

/** A store that holds this content, and its root. */
export async function stored(content: Entries): Promise<{ store: ObjectStore; root: Hash }> {
  const store = memoryStore()
  const { root, objects, problems } = await commit(store, EMPTY_ROOT, content)
  assert.deepEqual(problems, [])
  await store.putMany(objects)
  return { store, root }
}
