// SQL over model_use. Each is one statement outside of transactions, so that what a call may take is written for every
// process before it is made.
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** What a call has been written down as. */
export type ReservedUse = { readonly organizationId: string; readonly hour: Date }

/**
 * `spent` when it would be more than `tokensPerHour`, where 0 is no limit; `off` where the organization wants no language
 * model.
 */
export async function reserveUse(
  db: Db,
  organizationId: string,
  tokens: number,
  tokensPerHour: number,
): Promise<ReservedUse | 'spent' | 'off'> {
  const most = tokensPerHour === 0 ? Number.MAX_SAFE_INTEGER : tokensPerHour
  const { rows } = await sql<{ hour: Date | null }>`
    with willing as materialized (select id from organizations where id = ${organizationId} and ai), reserved as (
      insert into model_use as of_hour (organization_id, hour, tokens)
      select id, date_trunc('hour', now()), ${tokens}::bigint from willing where ${tokens}::bigint <= ${most}::bigint
      on conflict (organization_id, hour) do update set tokens = of_hour.tokens + excluded.tokens
        where of_hour.tokens + excluded.tokens <= ${most}::bigint
      returning hour)
    select (select hour from reserved) as hour from willing`.execute(db)
  const [row] = rows
  if (row === undefined) return 'off'
  return row.hour === null ? 'spent' : { organizationId, hour: row.hour }
}

// What a model says of itself comes from outside: beyond any context that there is, and the hour is over all the same.
const TOKENS_OF_CALL_MAX = 100_000_000

/** `used` is what the model said, if it did: more than was reserved counts as well as less. */
export async function correctReservedUse(
  db: Db,
  { organizationId, hour }: ReservedUse,
  { reserved, used }: { readonly reserved: number; readonly used: number },
): Promise<void> {
  const told = used >= 0 ? Math.min(Math.ceil(used), TOKENS_OF_CALL_MAX) : reserved
  await sql`update model_use set tokens = greatest(tokens + ${told - reserved}::bigint, 0)
    where organization_id = ${organizationId} and hour = ${hour}`.execute(db)
}

/** Hours that no limit looks at any more. */
export const removeOldUse = (db: Db) =>
  sql`delete from model_use where hour < now() - interval '1 day'`.execute(db)
