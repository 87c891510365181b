// An email with a link to choose a password, for anyone who requests one. Requests do not reveal who has an account:
// for every address the same is counted, looked up and enqueued, and the job does the rest. It makes the link when it
// sends the email, so the queue holds neither a secret nor what was typed.
import type { UserRow } from '../../access/principal.ts'
import type { Services } from '../../http/context.ts'
import { jobType } from '../../platform/jobs/queue.ts'
import { findMailLanguage } from '../accounts/mail-language.ts'
import { findUser, findUserByEmail } from '../accounts/rows.ts'
import { findClosed } from './closed.ts'
import { type Bound, countTry, TRIES_FORGOTTEN_MINUTES } from './lockout.ts'
import { createPasswordLink, REQUESTED_LINK_HOURS_MAX } from './password-links.ts'
import { PASSWORD_MAIL_TEXTS } from './password-mail-texts.ts'
import { readEmail } from './sign-in.ts'

/** Emails per hour to one address, over all processes. */
export const RESET_MAILS_MAX = 3
const RESET_MAILS: Bound = {
  name: 'password-letter',
  max: RESET_MAILS_MAX,
  lockMinutes: TRIES_FORGOTTEN_MINUTES,
}

/** `by`: the user, if signed in. */
export type ResetRequester = {
  readonly by: string | null
  readonly address: string | null
  readonly requestId: string | null
}

type ResetMail = { user: string | null; by: string | null; address: string | null; requestId: string | null }

export const PASSWORD_RESET = jobType<ResetMail>('sessions.passwordLetter')

/** `bounded`: this address had its emails for now. Only its owner may learn that. */
export async function requestPasswordReset(
  services: Pick<Services, 'db' | 'transaction' | 'jobs' | 'signingKey'>,
  typed: string,
  { by, address, requestId }: ResetRequester,
): Promise<'taken' | 'bounded'> {
  const email = readEmail(typed)
  // An invalid address is nobody's: its rejection reveals nothing.
  if (email === undefined) return 'taken'
  if ((await countTry(services, { of: email, bound: RESET_MAILS })).isLocked) return 'bounded'
  const user = (await findUserByEmail(services.db, email))?.id ?? null
  await services.transaction(trx =>
    services.jobs.enqueue(trx, PASSWORD_RESET, { user, by, address, requestId }),
  )
  return 'taken'
}

/** If the mail server fails, the job runs again and makes another link. */
export async function sendPasswordReset(services: Services, mail: ResetMail): Promise<void> {
  const user = mail.user === null ? undefined : await findUser(services.db, mail.user)
  if (user === undefined) return
  const closed = await findClosed(services.db, user.id, null)
  const texts = PASSWORD_MAIL_TEXTS[await findMailLanguage(services.db, user.id)]
  const what =
    closed === undefined
      ? `${services.urls.root(await createLink(services, user, mail))}\n\n${texts.link}`
      : texts.noLink[closed]
  await services.mail.send({
    to: user.email,
    subject: texts.subject,
    text: `${texts.asked(services.urls.root('/'))}

${what}

${texts.ignore}
`,
  })
}

const createLink = (
  services: Services,
  user: UserRow,
  { by, address, requestId }: ResetMail,
): Promise<string> =>
  services.transaction(async trx => {
    const events = services.events.from({
      actorKind: 'user',
      source: 'ui',
      address,
      tokenId: null,
      requestId,
    })
    await events.append(trx, {
      type: 'password_link.created',
      actorId: by,
      payload: { user: user.id, isMailed: true },
    })
    return createPasswordLink(trx, user.id, { isMailed: true, hours: REQUESTED_LINK_HOURS_MAX })
  })
