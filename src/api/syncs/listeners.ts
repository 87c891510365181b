// A publication makes a push due, and so does settling a change request that held pushes back. A space that leaves its
// organization loses its repository.
import { sql } from 'kysely'
import type { Events } from '../../platform/events/append.ts'
// These events are declared there.

import { makePushDue, releasePush, removeSyncs } from './rows.ts'

export function listenAsSyncs(events: Events): void {
  events.within(
    'space.published',
    async (trx, { spaceId }) => {
      if (spaceId) await makePushDue(trx, spaceId)
    },
    space => sql`is_pushed(${sql.ref(`${space}.id`)})`,
  )
  events.within('change_request.merged', (trx, { payload }) => releasePush(trx, payload.changeRequest))
  events.within('change_request.changed', async (trx, { payload }) => {
    if (payload.status === 'archived') await releasePush(trx, payload.changeRequest)
  })
  events.within('space.leaving', async (trx, { spaceId }) => {
    if (spaceId) await removeSyncs(trx, [spaceId])
  })
  events.within('collection.leaving', async (trx, { payload }) => {
    await removeSyncs(trx, payload.spaces)
  })
}
