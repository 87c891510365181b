// Merges three versions of a space: the result, and its conflicts.

import { conflict } from '../../base/errors.ts'
import type { Conflict } from '../../engines/content/merge.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import { mergeContents, refuseTooLarge } from '../conflicts/merging.ts'
import type { NewContent } from '../heads/write.ts'
import { readResolutions, refuseUnused } from './resolutions.ts'
import type { MergeBody } from './schema.ts'

export type Version = { readonly revisionId: string; readonly root: Hash }

/** The compared versions. `ours` is merged into. */
export type Comparison = {
  readonly versions: { readonly base: Version; readonly ours: Version; readonly theirs: Version }
}

/** The caller's input. */
export type MergeRequest = {
  readonly resolutions: MergeBody['resolutions']
  readonly compared: MergeBody['compared']
  readonly isDryRun: boolean
}

/**
 * Merges theirs into ours. Throws `invalid` for a resolution that settles nothing, and `conflict` if the caller
 * compared other revisions than these: the conflicts they settled may not be the current ones.
 */
export async function compare(
  services: Pick<Services, 'compute' | 'objects'>,
  spaceId: string,
  versions: Comparison['versions'],
  request: MergeRequest,
): Promise<{ comparison: Comparison; content: NewContent; conflicts: readonly Conflict[] }> {
  const { base, ours, theirs } = versions
  refuseOther(versions, request.compared)
  const resolutions = readResolutions(request.resolutions ?? [])
  const merged = await mergeContents(services, spaceId, services.objects, {
    base: base.root,
    ours: ours.root,
    theirs: theirs.root,
    resolutions,
  })
  refuseUnused(resolutions, merged.unused)
  refuseTooLarge(merged)
  return { comparison: { versions }, content: merged, conflicts: merged.conflicts }
}

function refuseOther({ ours, theirs }: Comparison['versions'], compared: MergeRequest['compared']): void {
  if (compared === undefined) return
  if (compared.ours === ours.revisionId && compared.theirs === theirs.revisionId) return
  throw conflict(
    'compared_moved',
    'body.compared: there were changes since. Ask for the conflicts again, and settle those.',
  )
}
