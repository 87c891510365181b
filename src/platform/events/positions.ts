// The order in which an organization's events are read. An event gets its position only after its commit:
// transactions commit in a different order than they begin and write, so a reader who has read up to a number taken
// inside a transaction could miss a smaller one that commits later. Positions are assigned to committed events by one
// process at a time, and so become visible in order.
import { sql } from 'kysely'
import type { Database, Db, Trx } from '../db/database.ts'

export type PositionedEvent = {
  readonly organizationId: string
  /** Counts the events of the organization from 1. */
  readonly position: number
  readonly eventId: string
  readonly spaceId: string | null
  readonly type: string
}

/** Receives events in the order of their positions, within the transaction that assigns them. */
export type PositionListener = (trx: Trx, placed: readonly PositionedEvent[]) => Promise<void>

type PositionServices = Pick<Database, 'db' | 'transaction'> & {
  readonly events: { readonly positionListeners: readonly PositionListener[] }
}

/** Positions assigned in one transaction. */
const PLACED_AT_ONCE = 1000

async function hasArrivals(db: Db): Promise<boolean> {
  const row = await db.selectFrom('event_arrivals').select('number').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Assigns a position to every committed event, and calls listeners in the same transaction. */
export async function placeEvents({ db, transaction, events }: PositionServices): Promise<void> {
  while (await hasArrivals(db)) {
    const placed = await transaction(async trx => {
      // A separate statement, so that the next one sees everything committed before the lock was released.
      await sql`select pg_advisory_xact_lock(hashtext('octavo event positions'))`.execute(trx)
      const given = await givePositions(trx)
      if (given.length > 0) for (const listener of events.positionListeners) await listener(trx, given)
      return given.length
    })
    if (placed < PLACED_AT_ONCE) return
  }
}

// Arrival numbers are taken in statement order: an event written after another commit has a larger one.
async function givePositions(trx: Db): Promise<PositionedEvent[]> {
  const { rows } = await sql<PositionedEvent>`
    with arrived as (
      delete from event_arrivals where number = any(array(
        select number from event_arrivals order by number limit ${PLACED_AT_ONCE}))
      returning *),
    numbered as (
      select arrived.*, row_number() over (partition by organization_id order by number) as nth from arrived),
    lasts as (
      select organization_id, coalesce((select position from event_positions
        where event_positions.organization_id = one.organization_id order by position desc limit 1), 0) as last
      from (select distinct organization_id from arrived) as one),
    placed as (
      insert into event_positions (organization_id, position, event_id, space_id, type)
      select organization_id, last + nth, event_id, space_id, type from numbered join lasts using (organization_id)
      returning *)
    select organization_id as "organizationId", position, event_id as "eventId", space_id as "spaceId", type
    from placed order by organization_id, position`.execute(trx)
  return rows
}
