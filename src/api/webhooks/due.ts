// SQL over due deliveries: finding, claiming and completing them. Each function is one statement outside of
// `transaction()`: no cache depends on these rows.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { logWith } from './delivery-log.ts'
import type { Attempt } from './schema.ts'

/** How long a process holds a delivery. Afterwards another may send it: the first has died. */
const LEASE_SECONDS = 60
/** Consecutive failures after which a webhook rests between single attempts. */
export const FAILURES_BEFORE_REST = 5
const REST_SECONDS = 10
const REST_SECONDS_MAX = 300
const BACKOFF_SECONDS = 5
const BACKOFF_SECONDS_MAX = 6 * 3600

export type Candidate = {
  readonly webhookId: string
  readonly eventId: string
  readonly receiver: string
  /** Consecutive, of the webhook. */
  readonly failures: number
}

/** Webhooks with waiting deliveries: one step in the index for each, however many deliveries wait. */
const WAITING_HOOKS = sql`
  recursive hooks (id) as (
    (select webhook_id from webhook_deliveries where status = 'waiting' order by webhook_id limit 1)
    union all
    select (select webhook_id from webhook_deliveries
      where status = 'waiting' and webhook_id > hooks.id order by webhook_id limit 1)
    from hooks where hooks.id is not null)`

/** Of a row `webhooks`: may be sent to now. */
const IS_SENT_TO = sql`paused_because is null and (resting_until is null or resting_until <= now())`

/** Whether events have arrived that a webhook may take, and whether deliveries wait. */
export async function findWork(
  db: Db,
): Promise<{ readonly hasArrived: boolean; readonly isWaiting: boolean }> {
  const { rows } = await sql<{ hasArrived: boolean; isWaiting: boolean }>`
    select exists (select from webhooks) and exists (select from event_arrivals where exists (
        select from webhooks where webhooks.organization_id = event_arrivals.organization_id)) as "hasArrived",
      exists (select from webhook_deliveries where status = 'waiting') as "isWaiting"`.execute(db)
  return rows[0] ?? { hasArrived: false, isWaiting: false }
}

/** What is at its limit. */
export type Full = {
  readonly webhooks: readonly string[]
  readonly receivers: readonly string[]
  /** Webhooks that failed last, whatever their receivers. */
  readonly troubled: boolean
}

/** Due longest first, at most `limit`, and `each` of every webhook that is below its limits. */
export async function findDue(
  db: Db,
  full: Full,
  { each, limit }: { readonly each: number; readonly limit: number },
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with ${WAITING_HOOKS}
    select due.webhook_id as "webhookId", due.event_id as "eventId", ready.receiver, ready.failures
    from hooks
    cross join lateral (select receiver, failures from webhooks
      where webhooks.id = hooks.id and ${IS_SENT_TO} and not webhooks.id = any(${[...full.webhooks]}::text[])
        and not receiver = any(${[...full.receivers]}::text[]) and (failures = 0 or not ${full.troubled})
      offset 0) as ready
    cross join lateral (select webhook_id, event_id, due_at, position from webhook_deliveries
      where webhook_id = hooks.id and status = 'waiting' and due_at <= now()
        and (locked_until is null or locked_until < now())
      order by due_at, position limit ${each}) as due
    order by due.due_at, due.position limit ${limit}`.execute(db)
  return rows
}

/** Milliseconds until the next delivery is due. */
export async function findNextDue(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ milliseconds: number | null }>`
    with ${WAITING_HOOKS}
    select ceil(extract(epoch from min(greatest(due.due_at, due.locked_until, ready.resting_until)) - now()) * 1000)::int8
      as milliseconds
    from hooks
    cross join lateral (select resting_until from webhooks
      where webhooks.id = hooks.id and paused_because is null offset 0) as ready
    cross join lateral (select due_at, locked_until from webhook_deliveries
      where webhook_id = hooks.id and status = 'waiting' order by due_at, position limit 1) as due`.execute(
    db,
  )
  return rows[0]?.milliseconds ?? undefined
}

/** Of webhooks that are not paused. */
export type DeliveryBacklog = { readonly waiting: number; readonly oldestSeconds: number }

/** Counting more would cost more than it says. */
const WAITING_COUNTED_MAX = 10_000

export async function findDeliveryBacklog(db: Db): Promise<DeliveryBacklog> {
  const { rows } = await sql<DeliveryBacklog>`
    with ${WAITING_HOOKS}
    select count(*)::int8 as waiting,
      coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
    from (select waits.created_at from hooks
      cross join lateral (select from webhooks where webhooks.id = hooks.id and paused_because is null offset 0) as sent
      cross join lateral (select created_at from webhook_deliveries
        where webhook_id = hooks.id and status = 'waiting' order by due_at, position
        limit ${WAITING_COUNTED_MAX}) as waits
      limit ${WAITING_COUNTED_MAX}) as counted`.execute(db)
  return rows[0] ?? { waiting: 0, oldestSeconds: 0 }
}

type Key = { readonly webhookId: string; readonly eventId: string }

const keysOf = (keys: readonly Key[]): RawBuilder<unknown> =>
  sql`jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as key ("webhookId" text, "eventId" text)`

export type Claimed = Key & {
  readonly position: number | null
  readonly body: string | null
  /** With this one. */
  readonly attempts: number
}

/** Those that no other process has claimed meanwhile. */
export async function claimDeliveries(db: Db, candidates: readonly Key[]): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    update webhook_deliveries set locked_until = now() + make_interval(secs => ${LEASE_SECONDS}), attempts = attempts + 1
    from ${keysOf(candidates)}
    where webhook_id = key."webhookId" and event_id = key."eventId" and status = 'waiting'
      and (locked_until is null or locked_until < now())
    returning webhook_id as "webhookId", event_id as "eventId", position, body, attempts`.execute(db)
  return rows
}

/** Undoes a claim. */
export async function releaseDeliveries(db: Db, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return
  await sql`
    update webhook_deliveries set locked_until = null, attempts = greatest(attempts - 1, 0)
    from ${keysOf(keys)}
    where webhook_id = key."webhookId" and event_id = key."eventId" and status = 'waiting'`.execute(db)
}

/** At the start, on a database that only this process uses: the process that held them has ended. */
export const endLeases = (db: Db) =>
  db
    .updateTable('webhook_deliveries')
    .set({ locked_until: null })
    .where('locked_until', 'is not', null)
    .execute()

export type Result = Key & {
  readonly attempts: number
  readonly entry: Attempt
  /** From the receiver's answer. */
  readonly retryAfterSeconds: number
}

export const isDelivered = ({ entry }: Pick<Result, 'entry'>): boolean => entry.error === null

/** 5 s, 15 s, 45 s … six hours: twelve attempts in a day. */
const backoffSeconds = (attempts: number): number =>
  Math.min(BACKOFF_SECONDS * 3 ** (attempts - 1), BACKOFF_SECONDS_MAX)

/** Records attempts. Failed ones are due again later, unless they expire before. */
export async function recordAttempts(db: Db, results: readonly Result[]): Promise<void> {
  const rows = results.map(result => ({
    hook: result.webhookId,
    event: result.eventId,
    entry: result.entry,
    delivered: isDelivered(result),
    seconds: Math.max(backoffSeconds(result.attempts), result.retryAfterSeconds),
  }))
  // Jitter of a quarter spreads retries of what failed together.
  await sql`
    with result as (
      select *, now() + make_interval(secs => seconds * (0.75 + random() / 2)) as again
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as one (hook text, event text, entry jsonb, delivered boolean, seconds float8)),
    outcome as (
      select result.*, case when delivered then 'delivered' when again > expires_at then 'failed' else 'waiting' end as become
      from result cross join lateral (select expires_at from webhook_deliveries
        where webhook_id = hook and event_id = event limit 1) as due)
    update webhook_deliveries set status = become, due_at = case when become = 'waiting' then again else due_at end,
      locked_until = null, completed_at = case when become = 'waiting' then null else now() end,
      log = ${logWith(sql`entry`)}
    from outcome where webhook_id = hook and event_id = event and (status = 'waiting' or delivered)`.execute(
    db,
  )
}

export type Outcome = {
  readonly webhookId: string
  readonly delivered: number
  readonly failed: number
  /** The receiver answered that it is gone for good. */
  readonly isGone: boolean
}

/** Updates webhooks by the results of attempts; returns those to pause: failing for longer than `days`, or gone. */
export async function recordOutcomes(
  db: Db,
  outcomes: readonly Outcome[],
  days: number,
): Promise<{ id: string; isGone: boolean }[]> {
  const { rows } = await sql<{ id: string; isGone: boolean; isOver: boolean }>`
    update webhooks set
      delivered_at = case when delivered > 0 then now() else delivered_at end,
      failures = case when delivered > 0 then 0 else failures + failed end,
      failing_since = case when delivered > 0 then null else coalesce(failing_since, now()) end,
      resting_until = case when delivered > 0 or failures + failed < ${FAILURES_BEFORE_REST} then null
        else now() + make_interval(secs => least(${REST_SECONDS} * 2 ^ least(failures + failed - ${FAILURES_BEFORE_REST}, 20), ${REST_SECONDS_MAX}))
        end
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
      as outcome ("webhookId" text, delivered integer, failed integer, "isGone" boolean)
    where webhooks.id = outcome."webhookId"
      and (failed > 0 or failures > 0 or delivered_at is null or delivered_at < now() - interval '1 minute')
    returning id, "isGone",
      paused_because is null and ("isGone" or failing_since < now() - make_interval(days => ${days})) as "isOver"`.execute(
    db,
  )
  return rows.filter(({ isOver }) => isOver)
}
