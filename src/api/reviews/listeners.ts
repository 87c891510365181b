// Reactions of reviews to review requests.
import type { Events } from '../../platform/events/append.ts'
// Declares the events.

import { listTeamMemberIds } from '../teams/membership.ts'
import { updateToOutdated } from './rows.ts'

/** A new request for a review makes earlier reviews of those who are asked obsolete, and of the members of their teams. */
export function listenAsReviews(events: Events): void {
  events.within('change_request.review_requested', async (trx, { payload }) => {
    const reviewers = new Set(payload.users)
    for (const team of payload.teams)
      for (const member of await listTeamMemberIds(trx, team)) reviewers.add(member)
    if (reviewers.size > 0) await updateToOutdated(trx, payload.changeRequest, [...reviewers])
  })
}
