// Background work on spaces.
import type { Services } from '../../http/context.ts'
import { liftDeadline } from '../../platform/db/statement-deadline.ts'
import { purgeBefore } from './actions.ts'
import { removeDeletedSpaces } from './rows.ts'

// Small, so that a purge never holds locks for long.
const PURGE_BATCH = 20

/** Removes for good what was deleted more than RESTORE_WINDOW_DAYS ago, with everything that belongs to it. */
export async function purgeSpaces(
  services: Pick<Services, 'transaction' | 'events' | 'log'>,
  before: Date = purgeBefore(),
): Promise<number> {
  let total = 0
  for (;;) {
    const removed = await services.transaction(async trx => {
      await liftDeadline(trx)
      const removed = await removeDeletedSpaces(trx, before, PURGE_BATCH)
      for (const { id, organization_id: organizationId } of removed)
        await services.events.append(trx, { type: 'space.purged', organizationId, spaceId: id, payload: {} })
      return removed.length
    })
    total += removed
    if (removed < PURGE_BATCH) break
  }
  if (total > 0) services.log.info({ spaces: total }, 'removed deleted spaces for good')
  return total
}
