// Scheduled work on deliveries.
import type { Services } from '../../http/context.ts'
import { giveUpExpired, removeOldDeliveries } from './deliveries.ts'

/** A delivery is removed when it is beyond either. */
const DELIVERIES_KEPT_MAX = 1_000
const DELIVERY_DAYS_KEPT = 30

export async function sweepDeliveries({ db }: Pick<Services, 'db'>): Promise<void> {
  await giveUpExpired(db)
  await removeOldDeliveries(db, DELIVERY_DAYS_KEPT, DELIVERIES_KEPT_MAX)
}
