// Merging contents in a thread of the pool, which asks here for what it reads.
import { conflict } from '../../base/errors.ts'
import type { ContentMergeInput } from '../../compute/content-merge.ts'
import type { Merge } from '../../engines/content/merge.ts'
import type { ObjectReads } from '../../engines/content/store.ts'
import type { Services } from '../../http/context.ts'

/** Throws `conflict` (merge_too_large) for versions that are too much to be merged at once. */
export async function mergeContents(
  { compute }: Pick<Services, 'compute'>,
  spaceId: string,
  reads: ObjectReads,
  input: ContentMergeInput,
): Promise<Merge> {
  const outcome = await compute.run('contentMerge', spaceId, input, hashes => reads.getMany(hashes))
  if (outcome.kind === 'done') return outcome.value
  throw conflict(
    'merge_too_large',
    'So much was changed on both sides that it cannot be merged at once. Merge in smaller steps: fewer pages, or smaller ones.',
  )
}
