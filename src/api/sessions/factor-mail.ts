// Tells people by email that their second factor was changed or a recovery code used, so that they notice if it was
// somebody else.
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { jobType } from '../../platform/jobs/queue.ts'
import { findUser } from '../accounts/rows.ts'

type Change =
  | 'totp_added'
  | 'totp_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'codes_renewed'
  | 'code_used'
  | 'reset'

type FactorMail = { user: string; change: string }

export const FACTOR_MAIL = jobType<FactorMail>('sessions.factorMail')

export async function tellOfFactor(
  trx: Trx,
  { jobs, mail }: Pick<Services, 'jobs' | 'mail'>,
  userId: string,
  change: Change,
): Promise<void> {
  if (mail.isConfigured) await jobs.enqueue(trx, FACTOR_MAIL, { user: userId, change })
}

const WHAT: Readonly<Record<Change, string>> = {
  totp_added: 'An authenticator app was added to your account.',
  totp_removed: 'The authenticator app was removed from your account.',
  passkey_added: 'A passkey was added to your account.',
  passkey_removed: 'A passkey was removed from your account.',
  codes_renewed: 'Your account has new recovery codes. The earlier ones no longer work.',
  code_used: 'Somebody signed in to your account with your password and a recovery code.',
  reset:
    'The second factor of your account was removed by an administrator, and you were signed out everywhere. Your password alone signs you in now.',
}

export async function sendFactorMail(
  services: Services,
  { user: userId, change }: FactorMail,
): Promise<void> {
  const user = await findUser(services.db, userId)
  if (user === undefined) return
  await services.mail.send({
    to: user.email,
    subject: 'Two-step sign-in',
    // Only changes are enqueued.
    text: `${WHAT[change as Change]}

${services.urls.root('/account/second-factor')}

If this was not you, change your password and tell an administrator.
`,
  })
}
