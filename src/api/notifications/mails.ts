// One mail for everything that somebody was told of within some minutes and has not read since.
import { sql } from 'kysely'
import { personOf } from '../../access/roles.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { type Jobs, jobType } from '../../platform/jobs/queue.ts'
import { type Message, toPlainWords } from '../../platform/mail.ts'
import { findMailLanguage } from '../accounts/mail-language.ts'
import { hasMailbox } from '../accounts/wire.ts'
import { MAIL_TEXTS, type MailTexts } from './mail-texts.ts'
import { type NotificationRow, selectNotifications } from './rows.ts'

export const MAIL_NOTIFICATIONS = jobType<{ user: string }>('notifications.mail')

// From the first that is unread to the mail.
const BURST_SECONDS = 300
/** Named in one mail; of the others it has the number. */
const NAMED_MAX = 20

/** What comes until then is in the same mail: of one person one job waits. */
export const enqueueMail = (jobs: Jobs, trx: Trx, user: string) =>
  jobs.enqueue(trx, MAIL_NOTIFICATIONS, { user }, { key: user, delaySeconds: BURST_SECONDS })

/** Sends nothing if everything was read or may no longer be seen. After a crash it may come twice. */
export async function mailNotifications(services: Services, userId: string): Promise<void> {
  const { db, principals, transaction, mail, urls } = services
  const principal = await principals.findPerson(userId)
  if (principal === undefined) return
  const { rows: moments } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  const rows = await selectNotifications(db, personOf(principal))
    .where('notifications.to_mail', '=', true)
    .where('notifications.read_at', 'is', null)
    .orderBy('notifications.created_at')
    .orderBy('notifications.id')
    .execute()
  if (rows.length > 0 && mail.isConfigured && hasMailbox(principal.user)) {
    const texts = MAIL_TEXTS[await findMailLanguage(db, userId)]
    await mail.send(toMessage(principal.user.email, texts, urls.root, rows))
  }
  await transaction(trx =>
    trx
      .updateTable('notifications')
      .set({ to_mail: false })
      .where('user_id', '=', userId)
      .where('to_mail', '=', true)
      .where('created_at', '<=', moments[0]?.at ?? new Date(0))
      .execute(),
  )
}

function toMessage(
  to: string,
  texts: MailTexts,
  addressOf: (path: string) => string,
  rows: readonly NotificationRow[],
): Message {
  const sentences = rows.map(row => sentenceOf(texts, row))
  const [only = ''] = sentences
  const entries = rows.slice(0, NAMED_MAX).map((row, at) => `${sentences[at]}\n${addressOf(pathOf(row))}`)
  const more = rows.length - entries.length
  return {
    to,
    subject: rows.length === 1 ? only : texts.subject(rows.length),
    text: [
      ...entries,
      ...(more > 0 ? [`${texts.more(more)}\n${addressOf('/w/inbox')}`] : []),
      `${texts.settings}\n${addressOf('/w/me/notifications')}`,
    ]
      .join('\n\n')
      .concat('\n'),
  }
}

/** `Ada mentioned you: Better words (Handbook)`. */
function sentenceOf(texts: MailTexts, { kind, actor, subject, space_title }: NotificationRow): string {
  const name = toPlainWords(actor?.display_name ?? '') || texts.somebody
  const space = toPlainWords(space_title) || texts.untitled
  const about = subject === null ? space : `${toPlainWords(subject) || texts.untitled} (${space})`
  return `${texts.kinds[kind](name)}: ${about}`
}

/** In the workspace. */
function pathOf({ kind, space_id, number, page_id }: NotificationRow): string {
  const space = `/w/s/${space_id}`
  if (number !== null) return `${space}/c/${number}${kind === 'conflict' ? '/conflicts' : ''}`
  if (kind === 'import-failed') return `${space}/git`
  return page_id === null ? space : `${space}/p/${page_id}`
}
