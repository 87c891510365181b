// What happens to sessions in the background.
import type { Services } from '../../http/context.ts'
import { removeOldTries } from './lockout.ts'
import { removeOldPasswordLinks } from './password-links.ts'
import { removeExpiredSessions, updateSessionUses } from './rows.ts'

/** Writes down when sessions were last used, as `flushTokenUses` does for tokens. */
export const flushSessionUses = (services: Services): Promise<void> =>
  updateSessionUses(services.db, services.principals.takeSessionUses())

/** Removes what opens nothing any more. */
export async function purgeSessions({ db }: Pick<Services, 'db'>): Promise<void> {
  await removeExpiredSessions(db)
  await removeOldPasswordLinks(db)
  await removeOldTries(db)
}
