// SQL over deliveries to webhooks. Due deliveries: see due.ts.
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/database.ts'
import { page } from '../../platform/db/page.ts'
import type { WebhookDeliveries } from '../../platform/db/tables.ts'
import type { PositionedEvent } from '../../platform/events/positions.ts'
import { GIVEN_UP, logWith } from './delivery-log.ts'
import type { ListDeliveries } from './schema.ts'

export type DeliveryRow = Selectable<WebhookDeliveries>

/** One for each event and each webhook that takes it. */
export async function insertDeliveries(trx: Trx, placed: readonly PositionedEvent[]): Promise<void> {
  await sql`
    insert into webhook_deliveries (webhook_id, event_id, type, position)
    select webhooks.id, event."eventId", event.type, event.position
    from jsonb_to_recordset(${JSON.stringify(placed)}::jsonb)
      as event ("organizationId" text, "spaceId" text, "eventId" text, type text, position bigint)
    cross join lateral (select id from (
      select id, types, paused_because from webhooks
      where organization_id = event."organizationId" and space_id is null
      union all
      select id, types, paused_because
      from (select * from webhooks where space_id = event."spaceId" offset 0) as of_space
      where organization_id = event."organizationId") as hook
      where paused_because is null and (types = '{}' or event.type = any(types))
      offset 0) as webhooks`.execute(trx)
}

/** Newest first. */
export const listDeliveries = (db: Db, webhookId: string, { status, ...query }: ListDeliveries) =>
  page(
    db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook_id', '=', webhookId)
      .where(({ and }) => and(status === undefined ? {} : { status })),
    {
      question: { list: 'webhook deliveries', webhook: webhookId, status: status ?? null },
      by: [
        ['created_at', 'desc'],
        ['event_id', 'desc'],
      ],
      ...query,
    },
  )

export const findDelivery = (db: Db, webhookId: string, eventId: string): Promise<DeliveryRow | undefined> =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('event_id', '=', eventId)
    .executeTakeFirst()

export const insertDelivery = (db: Db, row: Insertable<WebhookDeliveries>): Promise<DeliveryRow> =>
  db.insertInto('webhook_deliveries').values(row).returningAll().executeTakeFirstOrThrow()

/** Makes it due now, for another day of attempts. A running attempt continues. */
export const renewDelivery = (trx: Trx, webhookId: string, eventId: string): Promise<DeliveryRow> =>
  trx
    .updateTable('webhook_deliveries')
    .set({
      status: 'waiting',
      attempts: 0,
      completed_at: null,
      due_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + interval '1 day'`,
    })
    .where('webhook_id', '=', webhookId)
    .where('event_id', '=', eventId)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Gives up deliveries that were not acknowledged in time. */
export const giveUpExpired = (db: Db) =>
  sql`
    update webhook_deliveries set status = 'failed', completed_at = now(), locked_until = null,
      log = ${logWith(sql`jsonb_build_object('at', now(), 'milliseconds', 0, 'status', null, 'error', ${GIVEN_UP}::text, 'answer', null)`)}
    where status = 'waiting' and expires_at < now() and (locked_until is null or locked_until < now())`.execute(
    db,
  )

/** Removes those completed more than `days` ago, and of each webhook all but the newest `kept`. */
export async function removeOldDeliveries(db: Db, days: number, kept: number): Promise<void> {
  await db
    .deleteFrom('webhook_deliveries')
    .where('completed_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .execute()
  await sql`
    delete from webhook_deliveries using (
      select webhook_id as hook, event_id as event,
        row_number() over (partition by webhook_id order by created_at desc, event_id desc) as nth
      from webhook_deliveries where status <> 'waiting') as numbered
    where webhook_id = hook and event_id = event and nth > ${kept}`.execute(db)
}
