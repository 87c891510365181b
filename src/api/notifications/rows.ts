// SQL over the notifications of a person. A role that was taken away hides what they were told about its space.
import { type Selectable, sql } from 'kysely'
import { type Person, RANK_ON_SPACE, spacesWithEffectiveRole } from '../../access/roles.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { NEWEST_FIRST, type Page, page } from '../../platform/db/page.ts'
import type { Notifications } from '../../platform/db/tables.ts'
import type { Person as Actor } from '../accounts/wire.ts'
import { personJson } from '../change-requests/rows.ts'
import type { ListNotifications, NotificationKind } from './schema.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'notifications.kind': NotificationKind
  }
}

export type NotificationRow = Selectable<Notifications> & {
  readonly organization_id: string
  readonly space_title: string
  readonly number: number | null
  readonly subject: string | null
  readonly actor: Actor | null
}

/**
 * The spaces of these notifications that somebody may see, for `= any(…)`: an array, because PostgreSQL runs a subquery
 * for each row as long as it has no statistics.
 */
const accessible = (db: Db | Trx, person: Person) => {
  const spaces = spacesWithEffectiveRole(db, person)
    .select('spaces.id')
    .where(
      sql<boolean>`spaces.id = any(array(select distinct space_id from notifications where user_id = ${person.userId}))`,
    )
    .where(sql<boolean>`${RANK_ON_SPACE} > 0`)
  return sql<boolean>`notifications.space_id = any(array(${spaces}))`
}

/** What is shown beside is read by id, row by row, so that counting does without. */
export const selectNotifications = (db: Db, person: Person) =>
  db
    .selectFrom('notifications')
    .selectAll()
    .select([
      sql<string>`(select organization_id from spaces where spaces.id = notifications.space_id)`.as(
        'organization_id',
      ),
      sql<string>`(select title from spaces where spaces.id = notifications.space_id)`.as('space_title'),
      sql<number | null>`(select number from change_requests as one
        where one.id = notifications.change_request_id)`.as('number'),
      sql<string | null>`(select subject from change_requests as one
        where one.id = notifications.change_request_id)`.as('subject'),
      sql<Actor | null>`(select ${personJson('users')} from users where users.id = notifications.actor_id)`.as(
        'actor',
      ),
    ])
    .where('notifications.user_id', '=', person.userId)
    .where(accessible(db, person))

/** Newest first. */
export function listNotifications(
  db: Db,
  person: Person,
  { unread, kind, ...query }: ListNotifications,
): Promise<Page<NotificationRow>> {
  const shown = selectNotifications(db, person).where('notifications.in_app', '=', true)
  const all = kind === undefined ? shown : shown.where('notifications.kind', 'in', [...kind])
  return page(
    unread === undefined ? all : all.where('notifications.read_at', unread ? 'is' : 'is not', null),
    {
      question: { list: 'notifications', user: person.userId, unread: unread ?? null, kind: kind ?? null },
      by: NEWEST_FIRST,
      ...query,
    },
  )
}

export const findNotification = (db: Db, person: Person, id: string): Promise<NotificationRow | undefined> =>
  selectNotifications(db, person)
    .where('notifications.id', '=', id)
    .where('notifications.in_app', '=', true)
    .executeTakeFirst()

/** What is read already keeps its time. */
export const markRead = (trx: Trx, id: string, isRead: boolean) =>
  trx
    .updateTable('notifications')
    .set({ read_at: isRead ? sql<Date>`clock_timestamp()` : null })
    .where('id', '=', id)
    .where('read_at', isRead ? 'is' : 'is not', null)
    .execute()

/** Up to the millisecond of `until`, which the wire has of a time. */
export const markAllRead = (trx: Trx, person: Person, until: Date | undefined) =>
  trx
    .updateTable('notifications')
    .set({ read_at: sql<Date>`clock_timestamp()` })
    .where('user_id', '=', person.userId)
    .where('read_at', 'is', null)
    .where('in_app', '=', true)
    .where(accessible(trx, person))
    .where(
      sql<boolean>`(${until ?? null}::timestamptz is null or created_at < ${until ?? null}::timestamptz + interval '1 millisecond')`,
    )
    .execute()

const DAYS_KEPT = 90
/** Of one person. */
const KEPT_MAX = 1_000

/** Old ones, and the oldest of those who have too many. */
export async function removeOldNotifications(db: Db): Promise<void> {
  await sql`delete from notifications where created_at < now() - make_interval(days => ${DAYS_KEPT})`.execute(
    db,
  )
  await sql`delete from notifications using (
      select id from (
        select id, row_number() over (partition by user_id order by created_at desc, id desc) as place
        from notifications where user_id in (
          select user_id from notifications group by user_id having count(*) > ${KEPT_MAX})) as placed
      where place > ${KEPT_MAX}) as old
    where notifications.id = old.id`.execute(db)
}
