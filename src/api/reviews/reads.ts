// Reviews as wire objects, with their comments.
import { assertDefined } from '../../base/assert.ts'
import type { Context } from '../../http/context.ts'
import type { ChangeRequestAt } from '../change-requests/place.ts'
import { toComments } from '../comments/reads.ts'
import { listCommentsOfReviews } from '../comments/rows.ts'
import type { Format } from '../comments/schema.ts'
import type { ReviewRow } from './rows.ts'
import type { Review } from './schema.ts'
import { toReview } from './wire.ts'

export async function readReview(
  context: Context,
  at: ChangeRequestAt,
  row: ReviewRow,
  format: Format | undefined,
): Promise<Review> {
  const [review] = await toReviews(context, at, [row], format)
  return assertDefined(review, 'there is a review for each row')
}

/** In the order of the rows, with a fixed number of queries. */
export async function toReviews(
  context: Context,
  at: ChangeRequestAt,
  rows: readonly ReviewRow[],
  format: Format | undefined,
): Promise<Review[]> {
  const commentRows = await listCommentsOfReviews(
    context.db,
    rows.map(({ id }) => id),
  )
  const comments = await toComments(context, at, commentRows, format)
  const byReview = new Map(comments.map(comment => [comment.target.review, comment]))
  return rows.map(row => toReview(context.urls, at.space.id, row, byReview.get(row.id)))
}
