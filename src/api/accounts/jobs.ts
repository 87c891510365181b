// What happens to tokens in the background.
import type { Services } from '../../http/context.ts'
import { updateTokenUses } from './rows.ts'

/**
 * Writes down when tokens were last used. Reads must not cost a write, so the times are gathered in the process and
 * written once a minute and at the stop; a killed process loses up to a minute of them.
 */
export const flushTokenUses = (services: Services): Promise<void> =>
  updateTokenUses(services.db, services.principals.takeUses())
