// Background work on sessions.
import type { Services } from '../../http/context.ts'
import { handle, type JobHandler } from '../../platform/jobs/runner.ts'
import { removeOldTries } from './lockout.ts'
import { removeOldPasswordLinks } from './password-links.ts'
import { PASSWORD_RESET, sendPasswordReset } from './password-reset.ts'
import { removeExpiredSessions, updateSessionUses } from './rows.ts'

// Each waits for the mail server, and belongs to no organization.
const MAILS = { atOnceMax: 4, ofOrganizationMax: 4 }

export const sessionJobs = (services: Services): JobHandler[] => [
  handle(PASSWORD_RESET, mail => sendPasswordReset(services, mail), { waits: MAILS }),
]

/** Stores when sessions were last used, as `flushTokenUses` does for tokens. */
export const flushSessionUses = (services: Services): Promise<void> =>
  updateSessionUses(services.db, services.principals.takeSessionUses())

/** Removes expired sessions, links and counts of tries. */
export async function purgeSessions({
  db,
  transaction,
}: Pick<Services, 'db' | 'transaction'>): Promise<void> {
  await transaction(removeExpiredSessions)
  await removeOldPasswordLinks(db)
  await removeOldTries(db)
}
