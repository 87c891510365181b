// SQL over the repositories that spaces are synchronized with.
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { GitSyncs } from '../../platform/db/tables.ts'

export type SyncRow = Selectable<GitSyncs>

export const findSync = (db: Db | Trx, spaceId: string): Promise<SyncRow | undefined> =>
  db.selectFrom('git_syncs').selectAll().where('space_id', '=', spaceId).executeTakeFirst()

/**
 * Replaces the row and resets its failures. The change requests of the same repository that are still open are kept. A
 * pull is due at once.
 */
export async function replaceSync(trx: Trx, row: Insertable<GitSyncs>): Promise<SyncRow> {
  const before = await trx
    .deleteFrom('git_syncs')
    .where('space_id', '=', row.space_id)
    .returning(['url', 'ref', 'project_directory', 'change_request_id'])
    .returning(changeRequestsOf.as('changeRequests'))
    .executeTakeFirst()
  const isSame =
    before?.url === row.url && before.ref === row.ref && before.project_directory === row.project_directory
  const changeRequests = isSame ? before.changeRequests : []
  const written = await trx
    .insertInto('git_syncs')
    .values({ ...row, change_request_id: isSame ? before.change_request_id : null })
    .returningAll()
    .executeTakeFirstOrThrow()
  for (const id of changeRequests) await insertChangeRequest(trx, row.space_id, id)
  return written
}

// Read in the statement that deletes the row, which deletes these rows too.
const changeRequestsOf = sql<string[]>`array(select change_request_id from git_sync_proposals as p
  where p.space_id = git_syncs.space_id)`

const insertChangeRequest = (trx: Trx, spaceId: string, changeRequestId: string) =>
  trx
    .insertInto('git_sync_proposals')
    .values({ space_id: spaceId, change_request_id: changeRequestId })
    .onConflict(conflict => conflict.doNothing())
    .execute()

/** Returns whether there was one. */
export async function removeSyncs(trx: Trx, spaceIds: readonly string[]): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('git_syncs')
    .where(sql<boolean>`space_id = any(${[...spaceIds]}::text[])`)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export const makePullDue = (db: Db, spaceId: string) =>
  db.updateTable('git_syncs').set({ pull_due_at: sql<Date>`now()` }).where('space_id', '=', spaceId).execute()

// Edits come in bursts.
const PUSH_AFTER_SECONDS = 10

/** Also while a push is running: it may have begun before this change. */
export const makePushDue = (trx: Trx, spaceId: string) =>
  trx
    .updateTable('git_syncs')
    .set({
      push_due_at: sql<Date>`case when push_due_at > clock_timestamp() or (push_due_at is not null and locked_by is null)
        then push_due_at else clock_timestamp() + make_interval(secs => ${PUSH_AFTER_SECONDS}) end`,
    })
    .where('space_id', '=', spaceId)
    .where('pushes', '=', true)
    .execute()

/** Makes a push due of the space that this change request held back. */
export const releasePush = async (trx: Trx, changeRequestId: string): Promise<void> => {
  await trx
    .updateTable('git_syncs')
    .set({ push_due_at: sql<Date>`clock_timestamp() + make_interval(secs => ${PUSH_AFTER_SECONDS})` })
    .where(
      sql<boolean>`space_id in (select space_id from git_sync_proposals where change_request_id = ${changeRequestId})`,
    )
    .where('pushes', '=', true)
    .execute()
}

export type DueSync = SyncRow & {
  readonly isPullDue: boolean
  readonly isPushDue: boolean
  /** When it was claimed, in the database's format. */
  readonly began: string
}

const LEASE_SECONDS = 60

/** Claims the one due longest; undefined if nothing is due. */
export async function claimDue(db: Db, by: string): Promise<DueSync | undefined> {
  const { rows } = await sql<DueSync>`
    update git_syncs set locked_by = ${by}, locked_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where space_id in (
      select space_id from git_syncs
      where least(pull_due_at, push_due_at) <= now() and (locked_until is null or locked_until < now())
      order by least(pull_due_at, push_due_at) limit 1 for update skip locked)
    returning *, coalesce(pull_due_at <= now(), false) as "isPullDue",
      coalesce(push_due_at <= now(), false) as "isPushDue", now()::text as began`.execute(db)
  return rows[0]
}

/** Extends the lease. To be called more often than every LEASE_SECONDS. */
export const renewClaim = (db: Db, { space_id, locked_by }: SyncRow) =>
  db
    .updateTable('git_syncs')
    .set({ locked_until: sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})` })
    .where('space_id', '=', space_id)
    .where('locked_by', '=', locked_by)
    .execute()

/** Records the change request for the changes of the repository. Nothing is pushed until it is settled. */
export const recordChangeRequest = async (
  trx: Trx,
  { space_id, locked_by }: SyncRow,
  changeRequestId: string,
) => {
  const { numUpdatedRows } = await trx
    .updateTable('git_syncs')
    .set({ change_request_id: changeRequestId })
    .where('space_id', '=', space_id)
    .where('locked_by', '=', locked_by)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await insertChangeRequest(trx, space_id, changeRequestId)
}

export type SyncResult = {
  /** Minutes until the next run; null: only by an event. */
  readonly pullAgain: number | null
  readonly pushAgain: number | null
  readonly isPulled: boolean
  readonly isPushed: boolean
  readonly failure: { readonly code: string; readonly message: string } | undefined
}

/** What became due during the run stays due. No effect if the row was replaced or removed. */
export async function recordEnding(
  db: Db,
  { space_id, locked_by, began }: DueSync,
  ending: SyncResult,
): Promise<void> {
  const { pullAgain, pushAgain, isPulled, isPushed, failure } = ending
  const again = (minutes: number | null) => sql`now() + make_interval(mins => ${minutes}::integer)`
  await sql`update git_syncs set
      pull_due_at = case when pull_due_at <= ${began}::timestamptz then ${again(pullAgain)} else pull_due_at end,
      push_due_at = case when push_due_at <= ${began}::timestamptz then ${again(pushAgain)} else push_due_at end,
      pulled_at = case when ${isPulled} then now() else pulled_at end,
      pushed_at = case when ${isPushed} then now() else pushed_at end,
      failures = case when ${failure === undefined} then 0 else failures + 1 end,
      error_code = ${failure?.code ?? null}, error = ${failure?.message ?? null},
      locked_by = null, locked_until = null
    where space_id = ${space_id} and locked_by = ${locked_by}`.execute(db)
}

/** Whether a change request of the repository's changes is still open. */
export async function isHeldBack(db: Db, spaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('git_sync_proposals as p')
    .innerJoin('change_requests as c', 'c.id', 'p.change_request_id')
    .select('c.id')
    .where('p.space_id', '=', spaceId)
    .where('c.status', 'in', ['draft', 'open'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
