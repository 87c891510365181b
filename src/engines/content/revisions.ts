// Making a revision from another.
import type { Edits, Hash } from './records.ts'
import type { ObjectReads, StoredObject } from './store.ts'
import type { TreeProblem } from './tree-check.ts'
import { checkEdits } from './tree-check-edits.ts'
import { applyEdits, rememberNodes } from './trie.ts'

export type Commit = {
  readonly root: Hash
  /** New nodes: store them, and the documents that the edits name, before publishing `root`. */
  readonly objects: readonly StoredObject[]
  /** If not empty, the tree is invalid and `root` must not become a revision. */
  readonly problems: readonly TreeProblem[]
}

/** Applies edits to `base`, whose tree is valid. Writes nothing. */
export async function commit(store: ObjectReads, base: Hash, edits: Edits): Promise<Commit> {
  const reads = rememberNodes(store)
  const { root, objects } = await applyEdits(reads, base, edits)
  return { root, objects, problems: root === base ? [] : await checkEdits(reads, base, edits) }
}
