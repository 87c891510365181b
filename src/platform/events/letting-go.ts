// The two exceptions from events never being rewritten: a person is erased, and old events are let go of. Both say so in
// their transaction, or the trigger on the table refuses.
import { sql } from 'kysely'
import type { Trx } from '../db/database.ts'

const permit = (trx: Trx) => sql`select set_config('octavo.lets_go_of_events', 'on', true)`.execute(trx)

/** Times of the database have microseconds: they are texts, so that none is lost. */
export type EventCursor = { readonly at: string; readonly id: string }

/** Events that one transaction changes or looks at. */
const AT_ONCE = 1_000

/**
 * Removes from what a person did in one organization, or from what concerns their account (null), where they did it from.
 * Newest first, `AT_ONCE` after a cursor. Returns the next one; undefined: it was the last.
 */
export async function forgetOrigins(
  trx: Trx,
  userId: string,
  organizationId: string | null,
  after: EventCursor | undefined,
): Promise<EventCursor | undefined> {
  await permit(trx)
  const whose =
    organizationId === null
      ? sql`organization_id is null and coalesce(payload->>'user', actor_id) = ${userId}`
      : sql`organization_id = ${organizationId} and actor_id = ${userId}`
  const beyond =
    after === undefined ? sql`true` : sql`(occurred_at, id) < (${after.at}::timestamptz, ${after.id})`
  // Labels of tokens are their own words; those of things in the organization are everybody's.
  const payload = organizationId === null ? sql`payload - 'label'` : sql`payload`
  const { rows } = await sql<EventCursor & { count: number }>`
    with scanned as materialized (
      select id, occurred_at from events where ${whose} and ${beyond}
      order by occurred_at desc, id desc limit ${AT_ONCE}),
    forgotten as (
      update events set address = null, token_id = null, request_id = null, payload = ${payload}
      where id = any(array(select id from scanned))
        and (address is not null or token_id is not null or request_id is not null or payload <> ${payload}))
    select id, occurred_at::text as at, (select count(*)::integer from scanned) as count
    from scanned order by occurred_at, id limit 1`.execute(trx)
  const last = rows[0]
  return last === undefined || last.count < AT_ONCE ? undefined : { at: last.at, id: last.id }
}

/** `last`: the last event that was looked at; absent: there was none. */
export type LetGo = {
  readonly removed: number
  readonly last: EventCursor | undefined
  readonly isLast: boolean
}

/**
 * Deletes events of an organization (null: those of accounts) from before a time, the oldest first, `AT_ONCE` after a
 * cursor; of those whose type is in `kept`, only where they came from.
 */
export async function removeEventsBefore(
  trx: Trx,
  organizationId: string | null,
  { before, kept }: { readonly before: Date; readonly kept: readonly string[] },
  after: EventCursor | undefined,
): Promise<LetGo> {
  await permit(trx)
  const whose =
    organizationId === null ? sql`organization_id is null` : sql`organization_id = ${organizationId}`
  const beyond =
    after === undefined ? sql`true` : sql`(occurred_at, id) > (${after.at}::timestamptz, ${after.id})`
  const { rows } = await sql<EventCursor & { count: number; removed: number }>`
    with scanned as materialized (
      select id, occurred_at, type = any(${[...kept]}::text[]) as is_kept from events
      where ${whose} and ${beyond} and occurred_at < ${before} order by occurred_at, id limit ${AT_ONCE}),
    removed as (
      delete from events where id = any(array(select id from scanned where not is_kept)) returning id),
    forgotten as (
      update events set address = null, token_id = null, request_id = null
      where id = any(array(select id from scanned where is_kept)))
    select id, occurred_at::text as at, (select count(*)::integer from scanned) as count,
      (select count(*)::integer from removed) as removed
    from scanned order by occurred_at desc, id desc limit 1`.execute(trx)
  const last = rows[0]
  if (last === undefined) return { removed: 0, last: undefined, isLast: true }
  return { removed: last.removed, last: { at: last.at, id: last.id }, isLast: last.count < AT_ONCE }
}
