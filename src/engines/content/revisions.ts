// Making a revision out of another, and finding where two histories meet.
import type { Edits, Hash } from './records.ts'
import type { ObjectReads, StoredObject } from './store.ts'
import type { TreeProblem } from './tree-check.ts'
import { checkEdits } from './tree-check-edits.ts'
import { applyEdits, rememberNodes } from './trie.ts'

export type Commit = {
  readonly root: Hash
  /** Nodes that are new: put them, and the documents that the edits name, before anybody learns of `root`. */
  readonly objects: readonly StoredObject[]
  /** Empty, or the tree would be invalid and `root` must not become a revision. */
  readonly problems: readonly TreeProblem[]
}

/** The revision that the edits make of `base`, whose tree is valid. Writes nothing. */
export async function commit(store: ObjectReads, base: Hash, edits: Edits): Promise<Commit> {
  const reads = rememberNodes(store)
  const { root, objects } = await applyEdits(reads, base, edits)
  return { root, objects, problems: root === base ? [] : await checkEdits(reads, base, edits) }
}
