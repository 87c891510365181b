// Links, and the places that they stand in, as the wire knows them.
import { assert } from '../../base/assert.ts'
import { missing } from '../../base/errors.ts'
import type { Reference } from '../../engines/content/records.ts'
import type { Context } from '../../http/context.ts'
import { toChangeRequest } from '../change-requests/wire.ts'
import { indexOf } from '../content/index-of-content.ts'
import { findMergedFrom } from '../content/merged-from.ts'
import { type ContentAt, findFreshRevision } from '../content/place.ts'
import { toReference } from '../content/resolve.ts'
import { appOf, toPageAlone, toRevisionSummary } from '../content/wire.ts'
import { inOrganization } from '../organizations/place.ts'
import { toOrganization } from '../organizations/wire.ts'
import { countInSpaces } from '../spaces/rows.ts'
import { toSpace } from '../spaces/wire.ts'
import type { LinkCounts, LinkRow } from './rows.ts'
import type { ContentLocation, LinkStats, LinkUsage } from './schema.ts'
import { writtenAs } from './usages.ts'

export const toLinkUsage = (row: LinkRow): LinkUsage => ({
  status: row.status,
  relation: row.relation,
  targetReference: toTargetReference(row),
  locationReferences: [{ kind: 'page', page: row.from_page }],
})

function toTargetReference(row: LinkRow): Reference {
  if (row.kind === 'url') return { kind: 'url', url: row.destination.trim() }
  if (row.kind === 'anchor') return { kind: 'anchor', anchor: row.anchor ?? '' }
  if (row.target_kind === null || row.target_id === null) return writtenAs(row.destination)
  const target = { kind: row.target_kind, id: row.target_id, anchor: row.anchor ?? undefined }
  return toReference(target) ?? writtenAs(row.destination)
}

export const toLinkStats = (counts: LinkCounts, isProposal: boolean): LinkStats => ({
  total: counts.total,
  broken: { total: counts.broken, ...(isProposal ? { changeRequest: counts.newly_broken } : {}) },
})

/** Pages of one content as places: everything around the page is made once for all of them. */
export async function toLocations(
  context: Context,
  at: ContentAt,
): Promise<(pageId: string) => ContentLocation> {
  const { urls, signingKey, principal } = context
  const { space, isMember } = at
  const found = await inOrganization.find(context, { organizationId: space.organization_id })
  const counts = await countInSpaces(context.db, [space.id])
  const content = await context.contents.get(at.root)
  if (found === undefined) throw missing('space')
  const view = { urls, signingKey, space, content, appOf: appOf(urls, at), hasMetadata: isMember }
  const { paths } = indexOf(content)
  const around = {
    kind: 'page',
    organization: toOrganization(urls, principal, found.organization),
    space: toSpace(urls, at.role, space, counts.get(space.id)),
    versionContext: await toVersionContext(context, at),
  } as const
  return pageId => {
    const record = content.pages.get(pageId)
    assert(record !== undefined, 'a page that has links is a page of the content they were read from')
    const shown = toPageAlone(view, pageId, record, paths.get(pageId) ?? '')
    return { ...around, page: shown as ContentLocation['page'] }
  }
}

async function toVersionContext(context: Context, at: ContentAt): Promise<ContentLocation['versionContext']> {
  if (at.changeRequest !== null)
    return { type: 'changeRequest', changeRequest: toChangeRequest(context.urls, at.changeRequest) }
  const row = await findFreshRevision(context, at.space.id, at.revisionId)
  assert(row !== undefined, 'the head of a space is there')
  const mergedFrom = await findMergedFrom(context, at)
  const summary = toRevisionSummary(context.urls, at.space, row, mergedFrom, at.isMember)
  return {
    type: 'revision',
    revision: { ...summary, pages: [], files: [], reusableContents: [], variables: {} },
  }
}
