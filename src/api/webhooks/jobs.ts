// Scheduled work on deliveries.
import type { Services } from '../../http/context.ts'
import { giveUpExpired, removeOldDeliveries } from './deliveries.ts'

/** A delivery is removed when it is beyond either. */
const DELIVERIES_KEPT_MAX = 1_000
const DELIVERY_DAYS_KEPT = 30

const GIVEN_UP = 'It was given up: the receiver took nothing for a day, or the webhook was paused.'

export async function sweepDeliveries({ db }: Pick<Services, 'db'>): Promise<void> {
  await giveUpExpired(db, GIVEN_UP)
  await removeOldDeliveries(db, DELIVERY_DAYS_KEPT, DELIVERIES_KEPT_MAX)
}
