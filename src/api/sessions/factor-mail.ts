// Tells people by email that their second factor was changed, a recovery code used or codes locked, so that they notice
// if it was somebody else.
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { jobType } from '../../platform/jobs/queue.ts'
import { findMailLanguage } from '../accounts/mail-language.ts'
import { findUser } from '../accounts/rows.ts'
import { FACTOR_MAIL_TEXTS, type FactorChange } from './factor-mail-texts.ts'

type FactorMail = { user: string; change: string }

export const FACTOR_MAIL = jobType<FactorMail>('sessions.factorMail')

export async function tellOfFactor(
  trx: Trx,
  { jobs, mail }: Pick<Services, 'jobs' | 'mail'>,
  userId: string,
  change: FactorChange,
): Promise<void> {
  if (mail.isConfigured) await jobs.enqueue(trx, FACTOR_MAIL, { user: userId, change })
}

export async function sendFactorMail(
  services: Services,
  { user: userId, change }: FactorMail,
): Promise<void> {
  const user = await findUser(services.db, userId)
  if (user === undefined) return
  const texts = FACTOR_MAIL_TEXTS[await findMailLanguage(services.db, userId)]
  await services.mail.send({
    to: user.email,
    subject: texts.subject,
    // Only changes are enqueued.
    text: `${texts.changes[change as FactorChange]}

${services.urls.root('/account/second-factor')}

${texts.notYou}
`,
  })
}
