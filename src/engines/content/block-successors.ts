// The successors of blocks in the next version of a document, which comments on blocks follow.
import { diffDocuments, type SplitBlocks } from './block-diff.ts'

/** The new key of every block that is still there, whether edited, moved or unchanged; removed blocks are absent. */
export function pairBlocks(before: string, after: string, blocks: SplitBlocks): ReadonlyMap<string, string> {
  const successors = new Map<string, string>()
  for (const change of diffDocuments(before, after, blocks)) {
    if (change.kind !== 'inserted' && change.kind !== 'removed')
      successors.set(change.before.key, change.after.key)
  }
  return successors
}
