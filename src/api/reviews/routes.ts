// Reviews of change requests.
import { Type } from 'typebox'
import { orMissing } from '../../base/errors.ts'
import { Id, toList } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { created } from '../../http/replies.ts'
import { type ChangeRequestAt, onChangeRequest } from '../change-requests/place.ts'
import { submitReview } from './actions.ts'
import { readReview, toReviews } from './reads.ts'
import { findReview, listReviews } from './rows.ts'
import { GetReview, ListReviews, MarkViewed, Review, Reviews, SubmitReview, ViewedPages } from './schema.ts'
import { markViewed, readViewed } from './viewed.ts'

const operation = operationsOf<'space', ChangeRequestAt>()

const tag = 'Reviews'

export const reviewOperations = mount(
  [onChangeRequest],
  [
    operation({
      id: 'getReviewsByChangeRequestId',
      method: 'GET',
      path: '/reviews',
      summary: 'List reviews of a change request',
      description: 'Newest first.',
      tag,
      may: 'access',
      scope: 'space:read',
      query: ListReviews,
      reply: Reviews,
      run: async ({ context, at, query }) => {
        const page = await listReviews(context.db, at.changeRequest.id, query)
        return toList({ ...page, items: await toReviews(context, at, page.items, query.format) }, one => one)
      },
    }),
    operation({
      id: 'submitChangeRequestReview',
      method: 'POST',
      path: '/reviews',
      summary: 'Review a change request',
      description:
        'Reviews the current content. It replaces your previous review, and fulfils a request for one.',
      tag,
      may: 'review',
      scope: 'change-request:review',
      query: GetReview,
      body: SubmitReview,
      reply: Review,
      status: 201,
      failures: [409],
      run: async ({ context, at, query, body }) => {
        const row = await submitReview(context, at, body)
        const review = await readReview(context, at, row, query.format)
        return created(review)
      },
    }),
    operation({
      id: 'getChangeRequestReviewById',
      method: 'GET',
      path: '/reviews/{reviewId}',
      params: Type.Object({ reviewId: Id('A review of the change request.') }),
      summary: 'Get a review',
      tag,
      may: 'access',
      scope: 'space:read',
      query: GetReview,
      reply: Review,
      run: async ({ context, at, params, query }) => {
        const row = orMissing(await findReview(context.db, at.changeRequest.id, params.reviewId), 'review')
        return readReview(context, at, row, query.format)
      },
    }),
    operation({
      id: 'listViewedPagesOfChangeRequest',
      method: 'GET',
      path: '/viewed',
      summary: 'List the pages that you have viewed',
      description:
        'Latest first. A page that has changed since you viewed it is no longer `current`. Only you see this. Octavo extension.',
      tag,
      may: 'access',
      scope: 'space:read',
      reply: ViewedPages,
      run: ({ context, at }) => readViewed(context, at, context.principal.user.id),
    }),
    operation({
      id: 'markViewedPagesOfChangeRequest',
      method: 'PUT',
      path: '/viewed',
      summary: 'Mark pages as viewed',
      description: 'As they are in the `revision` that you read. Octavo extension.',
      tag,
      may: 'access',
      scope: 'space:read',
      body: MarkViewed,
      reply: ViewedPages,
      run: ({ context, at, body }) => markViewed(context, at, body),
    }),
  ],
)
