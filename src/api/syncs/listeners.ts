// What is written to a space goes to its repository; a space that leaves its organization takes no repository along.
import type { Events } from '../../platform/events/append.ts'
// What is listened to is declared there.
import type {} from '../content/publish.ts'
import type {} from '../moves/transfer.ts'
import { makePushDue, removeSyncs } from './rows.ts'

export function listenAsSyncs(events: Events): void {
  events.within('space.published', async (trx, { spaceId }) => {
    if (spaceId) await makePushDue(trx, spaceId)
  })
  events.within('space.leaving', async (trx, { spaceId }) => {
    if (spaceId) await removeSyncs(trx, [spaceId])
  })
  events.within('collection.leaving', async (trx, { payload }) => {
    await removeSyncs(trx, payload.spaces)
  })
}
