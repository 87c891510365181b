// Submitting reviews.
import { assert } from '../../base/assert.ts'
import { orMissing } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { ActionContext, Services } from '../../http/context.ts'
import type { ChangeRequestAt } from '../change-requests/place.ts'
import { lockChangeRequest, removeAnsweredRequests } from '../change-requests/rows.ts'
import { requireOpen } from '../change-requests/state.ts'
import { addComment } from '../comments/actions.ts'
import { readBody, readRichBody } from '../comments/body.ts'
import { WHOLE } from '../comments/targets.ts'
import { findReview, insertReview, type ReviewRow, updateToOutdated } from './rows.ts'
import type { SubmitReview } from './schema.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'change_request.reviewed': {
      changeRequest: string
      review: string
      status: 'approved' | 'changes-requested'
    }
  }
}

/**
 * Reviews the current content. It replaces the reviewer's previous review and answers the requests to them and to their
 * teams; its text becomes a comment. Authors may review their own change request: whether that counts is up to the merge rules.
 *
 * Throws `conflict` for a change request that is merged or archived; nothing is written then.
 */
export async function submitReview(
  context: ActionContext,
  at: ChangeRequestAt,
  { status, comment }: SubmitReview,
): Promise<ReviewRow> {
  const text = comment && (await readComment(context, at.space.id, comment))
  const reviewerId = context.principal.user.id
  return context.transaction(async trx => {
    const locked = orMissing(await lockChangeRequest(trx, at.changeRequest.id), 'change request')
    requireOpen(locked, 'review')
    const askedBy = await removeAnsweredRequests(trx, locked.id, reviewerId)
    await updateToOutdated(trx, locked.id, [reviewerId])
    const id = newId()
    await insertReview(trx, {
      id,
      change_request_id: locked.id,
      revision_id: locked.revision_id,
      reviewer_id: reviewerId,
      requested_by: askedBy ?? null,
      status,
    })
    if (text !== undefined) {
      await addComment(trx, context, at, {
        text,
        target: WHOLE,
        revisionId: locked.revision_id,
        reviewId: id,
      })
    }
    await context.events.append(trx, {
      type: 'change_request.reviewed',
      organizationId: at.space.organization_id,
      spaceId: at.space.id,
      actorId: reviewerId,
      payload: { changeRequest: locked.id, review: id, status },
    })
    const row = await findReview(trx, locked.id, id)
    assert(row !== undefined, 'a review that was just inserted is there')
    return row
  })
}

const readComment = (
  services: Services,
  spaceId: string,
  comment: NonNullable<SubmitReview['comment']>,
): Promise<string> =>
  'object' in comment
    ? readRichBody(services, spaceId, 'body.comment', comment)
    : readBody(services, spaceId, 'body.comment', comment)
