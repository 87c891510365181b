// The letters to invited people. A link to choose a password is made when its letter is sent: no secret waits in the
// queue.
import type { Services } from '../../http/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { jobType } from '../../platform/jobs/queue.ts'
import { handle, type JobHandler } from '../../platform/jobs/runner.ts'
import type { Message } from '../../platform/mail.ts'
import { createPasswordLink } from '../sessions/password-links.ts'

type Invitation = { organization: string; user: string; inviter: string }

export const INVITATION_MAIL = jobType<Invitation>('invitations.mail')

export const invitationJobs = (services: Services): JobHandler[] => [
  handle(INVITATION_MAIL, invitation => sendLetter(services, invitation)),
]

async function sendLetter(services: Services, invitation: Invitation): Promise<void> {
  const facts = await findFacts(services.db, invitation)
  // removed again before the letter went out
  if (facts === undefined) return
  const path = facts.needsPassword
    ? await services.transaction(trx => createPasswordLink(trx, invitation.user, { isMailed: true }))
    : '/sign-in'
  await services.mail.send(toLetter(facts, services.urls.root(path)))
}

type Facts = {
  readonly email: string
  readonly organization: string
  readonly inviter: string
  /** They have none, and the identity provider of this organization does not sign them in instead. */
  readonly needsPassword: boolean
}

async function findFacts(db: Db, { organization, user, inviter }: Invitation): Promise<Facts | undefined> {
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
          exists(selectFrom('passwords').select('hash').whereRef('passwords.user_id', '=', 'users.id')),
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

const NAME_CHARACTERS_MAX = 80

function toLetter({ email, organization, inviter, needsPassword }: Facts, url: string): Message {
  const title = toPlain(organization)
  const name = toPlain(inviter)
  const what = needsPassword
    ? `Choose a password to come in:\n\n${url}\n\nThis link works once, and for 7 days. It is meant for you alone.`
    : `You are a member already, so sign in as you do:\n\n${url}`
  return {
    to: email,
    subject: `${name} invited you to ${title}`,
    text: `${name} invited you to “${title}”.\n\n${what}\n\nIf you do not know what this is about, leave it at that.\n`,
  }
}

/** Names are what people typed: one line, without anything that mail programs would make a link of. */
const toPlain = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replaceAll(/:\/\/|(?<=\w)\.(?=\w)/g, ' ')
    .trim()
    .slice(0, NAME_CHARACTERS_MAX)
