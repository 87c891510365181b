// Emails to invited people. The link to choose a password is made when its email is sent, so the queue holds no secret.
import type { Services } from '../../http/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { jobType } from '../../platform/jobs/queue.ts'
import { handle, type JobHandler } from '../../platform/jobs/runner.ts'
import { type Message, toPlainWords } from '../../platform/mail.ts'
import { findMailLanguage, type MailLanguage } from '../accounts/mail-language.ts'
import { createPasswordLink } from '../sessions/password-links.ts'
import { INVITATION_MAIL_TEXTS } from './mail-texts.ts'

type Invitation = { organization: string; user: string; inviter: string }

export const INVITATION_MAIL = jobType<Invitation>('invitations.mail')

// Each waits for the mail server.
const MAILS = { atOnceMax: 4, ofOrganizationMax: 2 }

export const invitationJobs = (services: Services): JobHandler[] => [
  handle(INVITATION_MAIL, invitation => sendInvitation(services, invitation), { waits: MAILS }),
]

async function sendInvitation(services: Services, invitation: Invitation): Promise<void> {
  const member = await findInvited(services.db, invitation)
  // The member was removed in the meantime.
  if (member === undefined) return
  const path = member.needsPassword
    ? await services.transaction(trx => createPasswordLink(trx, invitation.user, { isMailed: true }))
    : '/sign-in'
  const language = await findMailLanguage(services.db, invitation.user, invitation.inviter)
  await services.mail.send(toMessage(member, services.urls.root(path), language))
}

type Invited = {
  readonly email: string
  readonly organization: string
  readonly inviter: string
  /** They have none, and no identity provider signs them in to this organization. */
  readonly needsPassword: boolean
}

async function findInvited(
  db: Db,
  { organization, user, inviter }: Invitation,
): Promise<Invited | undefined> {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .innerJoin('users as inviters', join => join.on('inviters.id', '=', inviter))
    .select(({ not, or, exists, ref, selectFrom }) => [
      'users.email',
      'organizations.title as organization',
      'inviters.display_name as inviter',
      not(
        or([
          // One that stands on the word of another organization opens nothing here.
          exists(
            selectFrom('passwords')
              .select('hash')
              .whereRef('passwords.user_id', '=', 'users.id')
              .where(password =>
                password.or([
                  password('passwords.organization_id', 'is', null),
                  password('passwords.organization_id', '=', organization),
                ]),
              ),
          ),
          ref('members.sso'),
        ]),
      )
        .$castTo<boolean>()
        .as('needsPassword'),
    ])
    .where('members.organization_id', '=', organization)
    .where('members.user_id', '=', user)
    .where('members.disabled', '=', false)
    .executeTakeFirst()
}

function toMessage(
  { email, organization, inviter, needsPassword }: Invited,
  url: string,
  language: MailLanguage,
): Message {
  const texts = INVITATION_MAIL_TEXTS[language]
  const title = toPlainWords(organization)
  const name = toPlainWords(inviter)
  const what = needsPassword
    ? `${texts.choosePassword}\n\n${url}\n\n${texts.once}`
    : `${texts.signIn}\n\n${url}`
  return {
    to: email,
    subject: texts.subject(name, title),
    text: `${texts.invited(name, title)}\n\n${what}\n\n${texts.unknown}\n`,
  }
}
