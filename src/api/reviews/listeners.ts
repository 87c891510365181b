// What reviews do when others tell.
import type { Events } from '../../platform/events/append.ts'
// What is listened to is declared there.
import type {} from '../change-requests/reviewers.ts'
import { updateToOutdated } from './rows.ts'

/** Whoever is asked again has not answered yet: what they said before counts no more (api-facts §5.4). */
export function listenAsReviews(events: Events): void {
  events.within('change_request.review_requested', async (trx, { payload }) => {
    if (payload.users.length > 0) await updateToOutdated(trx, payload.changeRequest, payload.users)
  })
}
