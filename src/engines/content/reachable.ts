// The objects that a set of revisions needs: the sweeper keeps them, a backup includes them.
import { type Entry, type Hash, isEntryOf, type Leaf, type Node } from './records.ts'
import type { ObjectReads } from './store.ts'
import { EMPTY_ROOT, loadNodes } from './trie-nodes.ts'

// Nodes in memory at once. An inner node names up to 32 others, so without a bound a walk would hold whole histories.
const BATCH_NODES = 500

/**
 * Every node and document below these roots, each once. Subtrees that revisions share are walked once; between batches
 * only the hashes of visited objects are kept.
 */
export async function* readReachable(store: ObjectReads, roots: Iterable<Hash>): AsyncGenerator<Hash> {
  const seen = new Set<Hash>([EMPTY_ROOT])
  const waiting: Hash[] = []
  const isNew = (hash: Hash): boolean => !seen.has(hash) && seen.add(hash) !== undefined
  for (const root of roots) if (isNew(root)) waiting.push(root)
  while (waiting.length > 0) {
    const batch = waiting.splice(-BATCH_NODES)
    yield* batch
    const nodeOf = await loadNodes(store, batch)
    for (const node of batch.map(nodeOf)) {
      if (node.kind === 'inner') waiting.push(...node.children.filter(isNew))
      else yield* documentsOf(node).filter(isNew)
    }
  }
}

const documentsOf = (leaf: Leaf): Hash[] => leaf.entries.flatMap(entry => documentOf(entry) ?? [])

/** The document that a record refers to, if any. */
export function documentOf(entry: Entry): Hash | null {
  if (isEntryOf('page', entry) || isEntryOf('reusable', entry)) return entry[1].document
  return isEntryOf('git', entry) ? entry[1] : null
}

/** The blobs of the files in a leaf, each once. */
export function blobsOf(node: Node): Hash[] {
  if (node.kind === 'inner') return []
  return [...new Set(node.entries.flatMap(entry => (isEntryOf('file', entry) ? entry[1].blob : [])))]
}
