// Whether somebody still may what they could when their stream began. It lives longer than a request, so it ends when
// their session, their token or a membership changes, and its client begins another one with the rights they have then.
import { sql } from 'kysely'
import type { UserPrincipal } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import type { ChangedIds } from '../../platform/db/changes.ts'
import type { Db } from '../../platform/db/database.ts'

/** Differs as soon as anything does that a principal is made of; null if it is no longer one. */
export async function standingOf(db: Db, { user, tokenId, session }: UserPrincipal): Promise<string | null> {
  const credential =
    tokenId === null
      ? sql`exists (select from sessions where id = ${session?.id ?? ''} and expires_at > now())`
      : sql`exists (select from tokens where id = ${tokenId} and (expires_at is null or expires_at > now()))`
  const { rows } = await sql<{ standing: string | null }>`
    select case when ${credential} then (
      select coalesce(string_agg(concat_ws(':', organization_id, role, disabled, sso), ' ' order by organization_id), '')
      from members where user_id = ${user.id}) end as standing`.execute(db)
  return rows[0]?.standing ?? null
}

/** Calls back once the session or token has ended by the clock, until the function that it returns is called. */
export function awaitExpiry({ expiresAt }: UserPrincipal, onExpired: () => void): () => void {
  if (expiresAt === null) return () => undefined
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const left = expiresAt.getTime() - now().getTime()
    if (left <= 0) onExpired()
    else timer = setTimeout(look, Math.min(left, TIMEOUT_MS_MAX))
  }
  look()
  return () => clearTimeout(timer)
}

// A longer timer fires at once (https://nodejs.org/api/timers.html#settimeoutcallback-delay-args).
const TIMEOUT_MS_MAX = 2 ** 31 - 1

export const mayConcern = (changed: ChangedIds, { user, tokenId, session }: UserPrincipal): boolean =>
  changed === undefined ||
  [user.id, tokenId, session?.id, session?.token?.id].some(id => id != null && changed.has(id))
