// Which objects a set of revisions needs: what the sweeper keeps, what a backup has to hold.
import {
  type AnyRecord,
  type FileRecord,
  type Hash,
  isPageKey,
  type Key,
  type Node,
  type PageRecord,
  type ReusableRecord,
} from './records.ts'
import type { ObjectReads } from './store.ts'
import { EMPTY_ROOT, loadNodes } from './trie-nodes.ts'

// Nodes in memory at once; an inner node names 32 others, so a walk over them all would hold whole histories.
const BATCH_NODES = 500

/**
 * Every object below these roots, nodes and documents, each once. What revisions share is walked once; between
 * batches only the hashes that were seen are kept.
 */
export async function* readReachable(store: ObjectReads, roots: Iterable<Hash>): AsyncGenerator<Hash> {
  const seen = new Set<Hash>([EMPTY_ROOT])
  const waiting: Hash[] = []
  const isNew = (hash: Hash): boolean => !seen.has(hash) && seen.add(hash) !== undefined
  for (const root of roots) if (isNew(root)) waiting.push(root)
  while (waiting.length > 0) {
    const batch = waiting.splice(-BATCH_NODES)
    yield* batch
    for (const node of (await loadNodes(store, batch)).values()) {
      if (node.kind === 'inner') waiting.push(...node.children.filter(isNew))
      else yield* documentsOf(node).filter(isNew)
    }
  }
}

function documentsOf(node: Node & { kind: 'leaf' }): Hash[] {
  return node.entries.flatMap(([key, record]) => documentOf(key, record) ?? [])
}

/** The document that a record keeps alive, if it has one. */
export function documentOf(key: Key, record: AnyRecord): Hash | null {
  if (isPageKey(key)) return (record as PageRecord).document
  if (key.startsWith('reusable/')) return (record as ReusableRecord).document
  return key.startsWith('git/') ? (record as Hash) : null
}

/** The blobs of the files in a leaf, each once. */
export function blobsOf(node: Node): Hash[] {
  if (node.kind === 'inner') return []
  const files = node.entries.filter(([key]) => key.startsWith('file/'))
  return [...new Set(files.map(([, record]) => (record as FileRecord).blob))]
}
