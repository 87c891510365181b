// Background work on sessions.
import type { Services } from '../../http/context.ts'
import { handle, type JobHandler } from '../../platform/jobs/runner.ts'
import { recordSessionsSeen } from '../members/actions.ts'
import { removeOldChallenges } from './challenges.ts'
import { FACTOR_MAIL, sendFactorMail } from './factor-mail.ts'
import { removeOldTries } from './lockout.ts'
import { removeOldPasswordLinks } from './password-links.ts'
import { PASSWORD_RESET, sendPasswordReset } from './password-reset.ts'
import { removeExpiredSessions, updateSessionUses } from './rows.ts'
import { removeOldSteps } from './second-step.ts'

// Each waits for the mail server, and belongs to no organization.
const MAILS = { atOnceMax: 4, ofOrganizationMax: 4 }

export const sessionJobs = (services: Services): JobHandler[] => [
  handle(PASSWORD_RESET, mail => sendPasswordReset(services, mail), { waits: MAILS }),
  handle(FACTOR_MAIL, mail => sendFactorMail(services, mail), { waits: MAILS }),
]

/** Stores when sessions were last used, and their people last seen, as `flushTokenUses` does for tokens. */
export async function flushSessionUses({ db, principals }: Services): Promise<void> {
  const uses = principals.takeSessionUses()
  await updateSessionUses(db, uses)
  await recordSessionsSeen(db, uses)
}

/** Removes expired sessions, links, counts of tries, second steps and challenges. */
export async function purgeSessions({
  db,
  transaction,
}: Pick<Services, 'db' | 'transaction'>): Promise<void> {
  await transaction(removeExpiredSessions)
  await removeOldPasswordLinks(db)
  await removeOldTries(db)
  await removeOldSteps(db)
  await removeOldChallenges(db)
}
