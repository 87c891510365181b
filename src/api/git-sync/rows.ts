// SQL over operations and over the repository that a space is linked to.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { GitHistories, GitLinks, GitOperations } from '../../platform/db/tables.ts'
import type { Person } from '../accounts/wire.ts'
import { personJson } from '../change-requests/rows.ts'
import type { GitSyncOperation } from './schema.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'git_operations.problems': GitSyncOperation['problems']
    'git_operations.stage': GitSyncOperation['stage']
    'git_operations.layout': GitSyncOperation['layout'] & {}
  }
}

export type OperationRow = Selectable<GitOperations> & { readonly creator: Person | null }
export type HistoryRow = Selectable<GitHistories>

const selectOperations = (db: Db) =>
  db
    .selectFrom('git_operations')
    .selectAll()
    .select(
      sql<Person | null>`(select ${personJson('users')} from users where users.id = git_operations.created_by)`.as(
        'creator',
      ),
    )

/** Newest first. */
export const listOperations = (db: Db, spaceId: string, query: PageQuery) =>
  page(selectOperations(db).where('space_id', '=', spaceId), {
    question: { list: 'gitOperations', space: spaceId },
    by: [
      ['started_at', 'desc'],
      ['id', 'desc'],
    ],
    ...query,
  })

export const findOperation = (db: Db, spaceId: string, id: string): Promise<OperationRow | undefined> =>
  selectOperations(db).where('space_id', '=', spaceId).where('id', '=', id).executeTakeFirst()

export const countRunning = (db: Db, spaceId: string): Promise<number> =>
  countRows(db.selectFrom('git_operations').where('space_id', '=', spaceId).where('state', '=', 'running'))

export const insertOperation = (
  db: Db | Trx,
  row: Insertable<GitOperations>,
): Promise<Selectable<GitOperations>> =>
  db.insertInto('git_operations').values(row).returningAll().executeTakeFirstOrThrow()

export const updateOperation = (db: Db | Trx, id: string, change: Updateable<GitOperations>) =>
  db.updateTable('git_operations').set(change).where('id', '=', id).execute()

/**
 * Marks running operations as ended. With `before`, only those that were not updated since; a process that still runs
 * one overwrites this when it ends.
 */
export function endLostOperations(
  trx: Trx,
  before: Date | null,
  end: Updateable<GitOperations>,
): Promise<Selectable<GitOperations>[]> {
  const lost = trx.updateTable('git_operations').set(end).where('state', '=', 'running')
  return (before === null ? lost : lost.where('updated_at', '<', before)).returningAll().execute()
}

export const upsertLink = (trx: Trx, row: Insertable<GitLinks>) => {
  const { space_id: _, ...change } = row
  return trx
    .insertInto('git_links')
    .values(row)
    .onConflict(conflict => conflict.column('space_id').doUpdateSet(change))
    .execute()
}

/**
 * Announces that the history of the commit will be fetched, or why it will not be stored. A stored one stays as it is.
 */
export const beginHistory = (trx: Trx, spaceId: string, oid: string, url: string, leftOut?: string) =>
  trx
    .insertInto('git_histories')
    .values({ space_id: spaceId, oid, url, left_out: leftOut ?? null })
    .onConflict(conflict =>
      conflict
        .columns(['space_id', 'oid'])
        .doUpdateSet({ url, left_out: leftOut ?? null, created_at: sql<Date>`clock_timestamp()` })
        .where('git_histories.blob_hash', 'is', null),
    )
    .execute()

/** Newest first. */
export const listHistories = (db: Db, spaceId: string): Promise<HistoryRow[]> =>
  db
    .selectFrom('git_histories')
    .selectAll()
    .where('space_id', '=', spaceId)
    .orderBy('created_at', 'desc')
    .execute()

export const keepHistory = (trx: Trx, spaceId: string, oid: string, sha256: string) =>
  trx
    .updateTable('git_histories')
    .set({ blob_hash: Buffer.from(sha256, 'hex') })
    .where('space_id', '=', spaceId)
    .where('oid', '=', oid)
    .where('blob_hash', 'is', null)
    .execute()

/** Replaces the packs of these commits by one that contains them. */
export const joinHistories = (trx: Trx, spaceId: string, oids: readonly string[], sha256: string) =>
  trx
    .updateTable('git_histories')
    .set({ blob_hash: Buffer.from(sha256, 'hex') })
    .where('space_id', '=', spaceId)
    .where('blob_hash', 'is not', null)
    .where('oid', '=', sql<string>`any(${oids}::text[])`)
    .execute()

export const leaveOutHistory = (db: Db, spaceId: string, oid: string, why: string) =>
  db
    .updateTable('git_histories')
    .set({ left_out: why })
    .where('space_id', '=', spaceId)
    .where('oid', '=', oid)
    .where('blob_hash', 'is', null)
    .execute()

/** Marks all histories that are being fetched as left out. */
export const leaveOutHistories = (db: Db, why: string) =>
  db
    .updateTable('git_histories')
    .set({ left_out: why })
    .where('blob_hash', 'is', null)
    .where('left_out', 'is', null)
    .execute()

/** Prevents running operations from linking the space when they end. Returns whether there were any. */
export async function disconnectRunning(trx: Trx, spaceId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('git_operations')
    .set({ is_disconnected: true })
    .where('space_id', '=', spaceId)
    .where('state', '=', 'running')
    .where('is_disconnected', '=', false)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Whether an operation may still link its space. Locks the operation until the transaction ends. */
export async function mayConnect(trx: Trx, operationId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('git_operations')
    .select('is_disconnected')
    .where('id', '=', operationId)
    .forUpdate()
    .executeTakeFirst()
  return row?.is_disconnected !== true
}

/** Returns whether there was one. */
export async function deleteLink(trx: Trx, spaceId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('git_links')
    .where('space_id', '=', spaceId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Those of `spaceIds` that still exist, deleted or not. */
export async function findSpaces(db: Db, spaceIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('spaces').select('id').where('id', 'in', spaceIds).execute()
  return new Set(rows.map(({ id }) => id))
}
