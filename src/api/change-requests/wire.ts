// Converts rows of change requests to their wire format.
import { seesClusters } from '../../access/sees-clusters.ts'
import { assert } from '../../base/assert.ts'
import type { Context } from '../../http/context.ts'
import type { Urls } from '../../http/urls.ts'
import { toUser } from '../accounts/wire.ts'
import type { ContributorRow } from './contributors.ts'
import type { ChangeRequestRow, RequestedReviewerRow } from './rows.ts'
import type { ChangeRequest, Contributor, RequestedReviewer } from './schema.ts'
import { isOutdated } from './state.ts'

/** As the caller may see it. */
export function toChangeRequest(
  { urls, principal }: Pick<Context, 'urls' | 'principal'>,
  row: ChangeRequestRow,
): ChangeRequest {
  const { conversationsIssuesCluster: cluster, ...whole } = toWholeChangeRequest(urls, row)
  const isShown = cluster !== undefined && seesClusters(principal, row.organization_id)
  return isShown ? { ...whole, conversationsIssuesCluster: cluster } : whole
}

/** With what only some callers may see. */
export const toWholeChangeRequest = (urls: Urls, row: ChangeRequestRow): ChangeRequest => ({
  object: 'change-request',
  id: row.id,
  number: row.number,
  status: row.status,
  subject: row.subject,
  ...(row.description === null ? {} : { description: row.description }),
  createdBy: toUser(urls, row.creator),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  space: row.space_id,
  revision: row.revision_id,
  revisionInitial: row.revision_initial_id,
  ...(row.revision_merged_ancestor_id === null
    ? {}
    : { revisionMergedAncestor: row.revision_merged_ancestor_id }),
  ...(row.revision_merged_id === null ? {} : { revisionMerged: row.revision_merged_id }),
  ...(row.merger === null ? {} : { mergedBy: toUser(urls, row.merger) }),
  ...(row.merged_at === null ? {} : { mergedAt: row.merged_at.toISOString() }),
  comments: row.open_comments,
  ...(row.reviews === undefined ? {} : { reviews: row.reviews }),
  ...(row.conflicts == null ? {} : { conflicts: row.conflicts }),
  outdated: isOutdated(row),
  ...(row.conversations_issues_cluster === null
    ? {}
    : { conversationsIssuesCluster: row.conversations_issues_cluster }),
  urls: {
    app: urls.changeRequest(row.space_id, row.number),
    location: urls.api(`/spaces/${row.space_id}/change-requests/${row.id}`),
  },
})

export function toRequestedReviewer(urls: Urls, row: RequestedReviewerRow): RequestedReviewer {
  const { reviewer, team } = row
  const request = {
    object: 'change-request-requested-reviewer' as const,
    revision: row.revision_id,
    requestedBy: toUser(urls, row.requester),
    createdAt: row.requested_at.toISOString(),
  }
  if (team !== null) return { ...request, kind: 'team', team }
  assert(reviewer !== null, 'a person or a team is asked')
  return { ...request, kind: 'user', user: toUser(urls, reviewer) }
}

export const toContributor = (urls: Urls, row: ContributorRow): Contributor => ({
  user: toUser(urls, row.person),
  actionType: row.action,
  count: row.count,
  updatedAt: row.acted_at.toISOString(),
})
