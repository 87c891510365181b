// SQL over the events of integrations, and over the events that they are made from.
import { type Selectable, sql } from 'kysely'
import { batchesOf } from '../../platform/db/batches.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { NEWEST_FIRST, type PageQuery, page } from '../../platform/db/page.ts'
import type { Events, Installations, IntegrationEvents } from '../../platform/db/tables.ts'
import type { IntegrationEvent } from './schema.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'integration_events.payload': IntegrationEvent['payload']
  }
}

export type IntegrationEventRow = Selectable<IntegrationEvents>

export type NewIntegrationEvent = Pick<IntegrationEventRow, 'id' | 'integration' | 'payload'> & {
  readonly installation_id: string
  /** Absent: now. */
  readonly created_at?: Date
}

// Some hundred bytes each.
const INSERT_ROWS_MAX = 1_000

export async function insertIntegrationEvents(
  trx: Trx,
  events: Iterable<NewIntegrationEvent>,
): Promise<void> {
  for (const batch of batchesOf(events, INSERT_ROWS_MAX))
    await sql`insert into integration_events (id, integration, installation_id, payload, created_at)
      select id, integration, installation_id, payload, coalesce(created_at, now())
      from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as one (id text, integration text, installation_id text,
        payload jsonb, created_at timestamptz)`.execute(trx)
}

/** Newest first. */
export const listIntegrationEvents = (db: Db, integration: string, query: PageQuery) =>
  page(db.selectFrom('integration_events').selectAll().where('integration', '=', integration), {
    question: { list: 'integration events', integration },
    by: NEWEST_FIRST,
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

/** Removes events older than `days`, and of each integration all but the newest `kept`. */
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

/** An installation that events are converted for. */
export type Listener = Pick<
  Selectable<Installations>,
  'id' | 'integration' | 'organization_id' | 'status' | 'scopes'
> & {
  /** null: every space of the organization. */
  readonly spaces: readonly string[] | null
}

export async function findListeners(trx: Trx, organizationIds: readonly string[]): Promise<Listener[]> {
  const { rows } = await sql<Listener>`
    select id, integration, organization_id, status, scopes, case space_selection when 'all' then null else array(
      select space_id from installation_spaces where installation_spaces.installation_id = installations.id) end as spaces
    from installations where organization_id = any(${[...organizationIds]}::text[])`.execute(trx)
  return rows
}

export type SourceEvent = {
  readonly id: string
  readonly type: string
  readonly organizationId: string
  readonly spaceId: string | null
  readonly occurredAt: Date
  readonly payload: Selectable<Events>['payload']
}

/** In the order of the ids. */
export async function findSourceEvents(trx: Trx, ids: readonly string[]): Promise<SourceEvent[]> {
  const { rows } = await sql<SourceEvent>`
    select found.* from unnest(${[...ids]}::text[]) with ordinality as wanted (id, nth)
    cross join lateral (select id, type, organization_id as "organizationId", space_id as "spaceId",
        occurred_at as "occurredAt", payload
      from events where events.id = wanted.id limit 1) as found
    order by nth`.execute(trx)
  return rows
}
