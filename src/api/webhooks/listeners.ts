// What webhooks listen to: every event, once it has its position; and spaces that leave their organization, which lose
// their webhooks.
import type { Events } from '../../platform/events/append.ts'
// These events are declared there.

import { insertDeliveries } from './deliveries.ts'
import { removeWebhooksOfSpaces } from './rows.ts'

export function listenAsWebhooks(events: Events): void {
  events.whenPositioned(insertDeliveries)
  events.within('space.leaving', (trx, { spaceId }) => removeWebhooksOfSpaces(trx, spaceId ? [spaceId] : []))
  events.within('collection.leaving', (trx, { payload }) => removeWebhooksOfSpaces(trx, payload.spaces))
}
