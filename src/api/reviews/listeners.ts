// Reactions of reviews to review requests.
import type { Events } from '../../platform/events/append.ts'
// Declares the events.

import { updateToOutdated } from './rows.ts'

/** A new request for a review makes the reviewer's earlier review obsolete. */
export function listenAsReviews(events: Events): void {
  events.within('change_request.review_requested', async (trx, { payload }) => {
    if (payload.users.length > 0) await updateToOutdated(trx, payload.changeRequest, payload.users)
  })
}
