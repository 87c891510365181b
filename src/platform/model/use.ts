// SQL over model_use. Each is a single statement outside transactions, so that every process sees what a call may use
// before it is made.
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The record of a call's reservation. */
export type ReservedUse = { readonly organizationId: string; readonly hour: Date }

/**
 * `spent` if the total would exceed `tokensPerHour` (0 is no limit); `off` if the organization wants no language
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

// A model's own count comes from outside: capped beyond any existing context, which still exhausts the hour.
const TOKENS_OF_CALL_MAX = 100_000_000

/** `used` is the model's own count, if it gave one: the correction may go either way. */
export async function correctReservedUse(
  db: Db,
  { organizationId, hour }: ReservedUse,
  { reserved, used }: { readonly reserved: number; readonly used: number },
): Promise<void> {
  const told = used >= 0 ? Math.min(Math.ceil(used), TOKENS_OF_CALL_MAX) : reserved
  await sql`update model_use set tokens = greatest(tokens + ${told - reserved}::bigint, 0)
    where organization_id = ${organizationId} and hour = ${hour}`.execute(db)
}

/** Hours that no limit considers any more. */
export const removeOldUse = (db: Db) =>
  sql`delete from model_use where hour < now() - interval '1 day'`.execute(db)
