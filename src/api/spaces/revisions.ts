// The head of a space: the one pointer that moves. Everything it points to is immutable.
import { type Selectable, sql } from 'kysely'
import { conflict } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { Revisions } from '../../platform/db/tables.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'revisions.git': RevisionGit
  }
}

export type RevisionRow = Selectable<Revisions>
export type RevisionType = 'edits' | 'merge' | 'rollback' | 'update' | 'computed'

/** The commit a revision came from, as the wire shows it (api-facts §5.1). */
export type RevisionGit = {
  oid: string
  message: string
  createdByGitBook: boolean
  url?: string
  ref?: string
}

export type NewRevision = {
  readonly id?: string
  readonly spaceId: string
  readonly root: string
  readonly type: RevisionType
  readonly parents: readonly string[]
  readonly createdBy: string | null
  readonly git?: RevisionGit
  /** The change request whose content it is; absent for a revision of the space itself. */
  readonly changeRequestId?: string
  /** The change request that it merged into the space. */
  readonly mergedFrom?: string
  /** Kept beside the history, to be looked at. */
  readonly isStandalone?: boolean
}

export const insertRevision = (trx: Trx, revision: NewRevision): Promise<RevisionRow> =>
  trx
    .insertInto('revisions')
    .values({
      id: revision.id ?? newId(),
      space_id: revision.spaceId,
      root_hash: Buffer.from(revision.root, 'hex'),
      type: revision.type,
      parents: [...revision.parents],
      created_by: revision.createdBy,
      // Not now(), which is when the transaction began: one that waited for another would look older than it.
      created_at: sql<Date>`clock_timestamp()`,
      git: revision.git === undefined ? null : JSON.stringify(revision.git),
      change_request_id: revision.changeRequestId ?? null,
      merged_from: revision.mergedFrom ?? null,
      is_standalone: revision.isStandalone ?? false,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/**
 * Moves the head from `from` to `to`, or throws `conflict` when somebody moved it first. Called in the transaction
 * that inserted `to`, so the new head, its revision, event and projections become visible together or not at all.
 */
export async function moveHead(trx: Trx, spaceId: string, from: string, to: string): Promise<void> {
  const moved = await trx
    .updateTable('spaces')
    .set({ revision_id: to, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', spaceId)
    .where('revision_id', '=', from)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (moved.numUpdatedRows !== 1n) {
    throw conflict(
      'head_moved',
      'The space was changed in the meantime. Read it again and repeat the change.',
    )
  }
}

export const findRevision = (db: Db, spaceId: string, id: string): Promise<RevisionRow | undefined> =>
  db
    .selectFrom('revisions')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The history of the space itself, newest first: without what change requests and previews have beside it. */
export const listRevisions = (db: Db, spaceId: string, query: PageQuery) => {
  const history = db
    .selectFrom('revisions')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('change_request_id', 'is', null)
    .where('is_standalone', '=', false)
  return page(history, {
    question: { list: 'revisions', space: spaceId },
    by: [
      ['created_at', 'desc'],
      ['id', 'desc'],
    ],
    ...query,
  })
}
