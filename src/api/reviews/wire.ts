// A row of a review as a wire object.
import type { Urls } from '../../http/urls.ts'
import { toUser } from '../accounts/wire.ts'
import type { Comment } from '../comments/schema.ts'
import type { ReviewRow } from './rows.ts'
import type { Review } from './schema.ts'

/** `comment`: absent if it had none or that is deleted. */
export const toReview = (
  urls: Urls,
  spaceId: string,
  row: ReviewRow,
  comment: Comment | undefined,
): Review => ({
  object: 'change-request-review',
  id: row.id,
  revision: row.revision_id,
  reviewer: toUser(urls, row.reviewer),
  ...(row.requester === null ? {} : { requestedBy: toUser(urls, row.requester) }),
  status: row.status,
  outdated: row.outdated,
  ...(comment === undefined ? {} : { comment }),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  urls: {
    location: urls.api(`/spaces/${spaceId}/change-requests/${row.change_request_id}/reviews/${row.id}`),
  },
})
