// SQL over what integrations are told.
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { Installations, IntegrationEvents } from '../../platform/db/tables.ts'
import type { IntegrationEvent } from './schema.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'integration_events.payload': IntegrationEvent['payload']
  }
}

export type IntegrationEventRow = Selectable<IntegrationEvents>

export async function insertIntegrationEvents(
  trx: Trx,
  rows: readonly Insertable<IntegrationEvents>[],
): Promise<void> {
  if (rows.length > 0)
    await trx
      .insertInto('integration_events')
      .values([...rows])
      .execute()
}

/** Newest first. */
export const listIntegrationEvents = (db: Db, integration: string, query: PageQuery) =>
  page(db.selectFrom('integration_events').selectAll().where('integration', '=', integration), {
    question: { list: 'integration events', integration },
    by: [
      ['created_at', 'desc'],
      ['id', 'desc'],
    ],
    ...query,
  })

export const findIntegrationEvent = (
  db: Db,
  integration: string,
  id: string,
): Promise<IntegrationEventRow | undefined> =>
  db
    .selectFrom('integration_events')
    .selectAll()
    .where('integration', '=', integration)
    .where('id', '=', id)
    .executeTakeFirst()

/** Removes those that are older, and of each integration all but the last `kept`. */
export async function removeOldIntegrationEvents(db: Db, days: number, kept: number): Promise<void> {
  await db
    .deleteFrom('integration_events')
    .where('created_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .execute()
  await sql`
    delete from integration_events using (
      select id as one, row_number() over (partition by integration order by created_at desc, id desc) as nth
      from integration_events) as numbered
    where id = one and nth > ${kept}`.execute(db)
}

export type Listening = Pick<
  Selectable<Installations>,
  'id' | 'integration' | 'organization_id' | 'status' | 'scopes'
> & {
  /** null: every space of the organization. */
  readonly spaces: readonly string[] | null
}

/** The installations of organizations. */
export async function findListening(trx: Trx, organizationIds: readonly string[]): Promise<Listening[]> {
  const { rows } = await sql<Listening>`
    select id, integration, organization_id, status, scopes, case space_selection when 'all' then null else array(
      select space_id from installation_spaces where installation_spaces.installation_id = installations.id) end as spaces
    from installations where organization_id = any(${[...organizationIds]}::text[])`.execute(trx)
  return rows
}

export type ToldRow = {
  readonly id: string
  readonly type: string
  readonly organizationId: string
  readonly spaceId: string | null
  readonly occurredAt: Date
  readonly payload: unknown
}

/** Events by their ids, in this order. */
export async function findTold(trx: Trx, ids: readonly string[]): Promise<ToldRow[]> {
  const { rows } = await sql<ToldRow>`
    select told.* from unnest(${[...ids]}::text[]) with ordinality as wanted (id, nth)
    cross join lateral (select id, type, organization_id as "organizationId", space_id as "spaceId",
        occurred_at as "occurredAt", payload
      from events where events.id = wanted.id limit 1) as told
    order by nth`.execute(trx)
  return rows
}
