// Background work on tokens.
import type { Services } from '../../http/context.ts'
import { removeExpiredTokens, updateTokenUses } from './rows.ts'

// Rows that one transaction deletes at most.
const EXPIRED_BATCH = 1000

/**
 * Stores when tokens were last used. Reads must not cost a write, so the times are collected in the process and written
 * once a minute and on shutdown; a killed process loses up to a minute of them.
 */
export const flushTokenUses = (services: Services): Promise<void> =>
  updateTokenUses(services.db, services.principals.takeUses())

/** Tokens of installations and visitors expire, and are many. A person's token stays in their list. */
export async function purgeExpiredTokens(services: Services): Promise<void> {
  while ((await services.transaction(trx => removeExpiredTokens(trx, EXPIRED_BATCH))) === EXPIRED_BATCH);
}
