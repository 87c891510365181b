// SQL over model_use. Each is one statement outside of transactions, so that what a call may take is written for every
// process before it is made.
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

/** What a call has been written down as. */
export type Use = { readonly organizationId: string; readonly hour: Date }

/** Undefined when it would be more than `tokensPerHour`; 0 is no limit. */
export async function reserveUse(
  db: Db,
  organizationId: string,
  tokens: number,
  tokensPerHour: number,
): Promise<Use | undefined> {
  const most = tokensPerHour === 0 ? Number.MAX_SAFE_INTEGER : tokensPerHour
  const { rows } = await sql<{ hour: Date }>`
    insert into model_use as of_hour (organization_id, hour, tokens)
    select ${organizationId}, date_trunc('hour', now()), ${tokens}::bigint where ${tokens}::bigint <= ${most}::bigint
    on conflict (organization_id, hour) do update set tokens = of_hour.tokens + excluded.tokens
      where of_hour.tokens + excluded.tokens <= ${most}::bigint
    returning hour`.execute(db)
  const hour = rows[0]?.hour
  return hour === undefined ? undefined : { organizationId, hour }
}

/** `tokens`: how many more, or less, there were than reserved. */
export async function correctUse(db: Db, { organizationId, hour }: Use, tokens: number): Promise<void> {
  await sql`update model_use set tokens = greatest(tokens + ${tokens}::bigint, 0)
    where organization_id = ${organizationId} and hour = ${hour}`.execute(db)
}

/** Hours that no limit looks at any more. */
export const removeOldUse = (db: Db) =>
  sql`delete from model_use where hour < now() - interval '1 day'`.execute(db)
