// Writes notifications, event by event in the order of an organization. Killed at any point, it goes on where it was: an
// event is forgotten after everybody was told, and nobody is told twice of one.
import { sql } from 'kysely'
import { allows } from '../../access/policy.ts'
import { membersWithEffectiveRole, roleOfRank } from '../../access/roles.ts'
import { newId } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import { batchesOf } from '../../platform/db/batches.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { jobType } from '../../platform/jobs/queue.ts'
import { enqueueMail } from './mails.ts'
import { findTold, type NoticedEvent, type Told } from './recipients.ts'
import { listChosenWays } from './settings.ts'

export const WRITE_NOTIFICATIONS = jobType<{ organization: string }>('notifications.write')

// One announcement carries 50 ids (migration 0053); beyond that, every cache would be emptied.
const PEOPLE_AT_ONCE = 40

type Next = { readonly position: number; readonly event: NoticedEvent | null }

export async function writeNotifications(
  services: Services,
  organizationId: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const next = await findNext(services.db, organizationId)
    if (next === undefined) return
    if (next.event !== null) await tellOf(services, next.event)
    await services.transaction(trx => forget(trx, organizationId, next.position))
  }
}

async function findNext(db: Db, organizationId: string): Promise<Next | undefined> {
  const { rows } = await sql<Next>`
    select position, (select json_build_object('id', id, 'type', type, 'space_id', space_id, 'actor_id', actor_id,
      'payload', payload) from events where id = event_id) as event
    from unnoticed_events where organization_id = ${organizationId} order by position limit 1`.execute(db)
  return rows[0]
}

const forget = (trx: Trx, organizationId: string, position: number) =>
  trx
    .deleteFrom('unnoticed_events')
    .where('organization_id', '=', organizationId)
    .where('position', '=', position)
    .execute()

async function tellOf(services: Services, event: NoticedEvent): Promise<void> {
  const told = await findTold(services, event)
  if (told === undefined) return
  const people = await listWhoMaySee(services.db, told)
  const ways = await listChosenWays(services.db, people)
  const rows = people.flatMap(userId => {
    const kind = told.people.get(userId)
    if (kind === undefined || (userId === event.actor_id && kind !== 'import-failed')) return []
    const { app, mail } = ways(userId, kind)
    const toMail = mail && services.mail.isConfigured
    return app || toMail ? [{ id: newId(), userId, kind, app, toMail }] : []
  })
  for (const batch of batchesOf(rows, PEOPLE_AT_ONCE))
    await services.transaction(async trx => {
      await insertNotifications(trx, event, told, batch)
      for (const { userId, toMail } of batch) if (toMail) await enqueueMail(services.jobs, trx, userId)
    })
}

/** Of an import, only its admins and who began it. */
async function listWhoMaySee(db: Db, { spaceId, people }: Told): Promise<string[]> {
  const space = await db
    .selectFrom('spaces')
    .select('organization_id')
    .where('id', '=', spaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (space === undefined || people.size === 0) return []
  const members = await membersWithEffectiveRole(db, space.organization_id, { kind: 'space', id: spaceId })
    .select('members.user_id')
    .where(sql<boolean>`members.user_id = any(${[...people.keys()]}::text[])`)
    .execute()
  return members.flatMap(({ user_id, rank }) =>
    allows('space', people.get(user_id) === 'import-failed' ? 'triggerGitSync' : 'access', roleOfRank(rank))
      ? [user_id]
      : [],
  )
}

type NewNotification = {
  readonly id: string
  readonly userId: string
  readonly kind: string
  readonly app: boolean
  readonly toMail: boolean
}

async function insertNotifications(
  trx: Trx,
  { id, actor_id }: NoticedEvent,
  { spaceId, changeRequestId, commentId, replyId, pageId }: Told,
  rows: readonly NewNotification[],
): Promise<void> {
  await sql`insert into notifications
      (id, user_id, event_id, kind, actor_id, space_id, change_request_id, comment_id, reply_id, page_id, in_app, to_mail)
    select one.id, one."userId", ${id}, one.kind, ${actor_id}::text, ${spaceId}, ${changeRequestId}::text,
      ${commentId}::text, ${replyId}::text, ${pageId}::text, one.app, one."toMail"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as one (id text, "userId" text, kind text, app boolean, "toMail" boolean)
    on conflict (event_id, user_id) do nothing`.execute(trx)
}
