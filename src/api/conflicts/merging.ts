// Merges contents in a thread of the pool.
import { conflict } from '../../base/errors.ts'
import type { ContentMergeInput } from '../../compute/content-merge.ts'
import type { Merge } from '../../engines/content/merge.ts'
import type { ObjectReads } from '../../engines/content/store.ts'
import type { Services } from '../../http/context.ts'
import { PAGE_BYTES_MAX } from '../content/bounds.ts'

/**
 * Merges in a thread of the pool, which asks this process for the objects it reads. Throws `conflict` (merge_too_large)
 * for versions that are too much to merge at once.
 */
export async function mergeContents(
  { compute }: Pick<Services, 'compute'>,
  spaceId: string,
  reads: ObjectReads,
  input: ContentMergeInput,
): Promise<Merge> {
  const outcome = await compute.run('contentMerge', spaceId, input, reads)
  if (outcome.kind === 'done') return outcome.value
  throw conflict(
    'merge_too_large',
    'Too much was changed on both sides to merge at once. Merge in smaller steps: fewer pages, or smaller ones.',
  )
}

/** Throws `conflict` (page_too_large) if the text of a page has become too long. */
export function refuseTooLarge({ objects }: Pick<Merge, 'objects'>): void {
  if (objects.some(({ kind, body }) => kind === 'document' && body.length > PAGE_BYTES_MAX))
    throw conflict(
      'page_too_large',
      `Merged, the text of a page would have more than ${PAGE_BYTES_MAX} bytes. Shorten it on one side, then merge again.`,
    )
}
