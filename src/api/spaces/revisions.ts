// Revisions: what a head points to. They are immutable.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { assert } from '../../base/assert.ts'
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

/** The commit that a revision came from, as on the wire. */
export type RevisionGit = {
  oid: string
  message: string
  createdByGitBook: boolean
  /** As the commit says. Members alone see it. */
  author?: string
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
  /** Kept beside the history, as a preview. */
  readonly isStandalone?: boolean
}

export async function insertRevision(trx: Trx, revision: NewRevision): Promise<RevisionRow> {
  const { rows } = await sql<RevisionRow>`${insertingRevision(revision, sql``)} returning *`.execute(trx)
  const [row] = rows
  assert(row !== undefined, 'an inserted row is returned')
  return row
}

/** Part of a statement. `from`: a clause whose rows have to exist, as in `from moved`. */
export const insertingRevision = (revision: NewRevision, from: RawBuilder<unknown>) =>
  // Not now(), the start of the transaction: a transaction that waited for another would look older than it. Histories
  // are ordered by this time, so it is later than that of what the revision follows, also when the clock was set back:
  // by a millisecond, the smallest difference that the program sees.
  sql<RevisionRow>`insert into revisions
      (id, space_id, root_hash, type, parents, created_by, created_at, git, change_request_id, merged_from, is_standalone)
    select ${revision.id ?? newId()}, ${revision.spaceId}, ${Buffer.from(revision.root, 'hex')}::bytea, ${revision.type},
      ${[...revision.parents]}::text[], ${revision.createdBy}::text, greatest(clock_timestamp(),
        (select max(created_at) + interval '1 millisecond' from revisions where id = any(${[...revision.parents]}::text[]))),
      ${revision.git === undefined ? null : JSON.stringify(revision.git)}::jsonb, ${revision.changeRequestId ?? null}::text,
      ${revision.mergedFrom ?? null}::text, ${revision.isStandalone ?? false}::boolean ${from}`

export const findRevision = (db: Db, spaceId: string, id: string): Promise<RevisionRow | undefined> =>
  db
    .selectFrom('revisions')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Those of the revisions that are of this space. */
export const findRevisions = (db: Db, spaceId: string, ids: readonly string[]): Promise<RevisionRow[]> =>
  db.selectFrom('revisions').selectAll().where('space_id', '=', spaceId).where('id', 'in', ids).execute()

/**
 * The history of the space itself, newest first, without change requests and previews. `changedPage`: only what changed
 * this page.
 */
export const listRevisions = (
  db: Db,
  spaceId: string,
  { changedPage, ...query }: PageQuery & { readonly changedPage?: string },
) => {
  const history = db
    .selectFrom('revisions')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('change_request_id', 'is', null)
    .where('is_standalone', '=', false)
  return page(
    changedPage === undefined ? history : history.where('id', '=', changing(spaceId, changedPage)),
    {
      question: { list: 'revisions', space: spaceId, changedPage: changedPage ?? null },
      by: [
        ['created_at', 'desc'],
        ['id', 'desc'],
      ],
      ...query,
    },
  )
}

// An array, so that the revisions are looked up by their ids, whatever is known of how many there are.
const changing = (spaceId: string, pageId: string) =>
  sql<string>`any(array(
    select revision_id from page_revisions where space_id = ${spaceId} and page_id = ${pageId}))`

const NAMED_AT_ONCE = 1_000

/**
 * Gives commits that a person imported, and that name them as the author, another name; the next ones after a revision,
 * or from the first. Returns the last that was looked at; undefined: there are no more.
 */
export async function replaceCommitAuthor(
  trx: Trx,
  userId: string,
  { name, by }: { readonly name: string; readonly by: string },
  after: string | undefined,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with scanned as materialized (
      select id, git from revisions where created_by = ${userId} and id > ${after ?? ''}
      order by id limit ${NAMED_AT_ONCE}),
    replaced as (
      update revisions set git = jsonb_set(revisions.git, '{author}', to_jsonb(${by}::text)) from scanned
      where revisions.id = scanned.id and scanned.git->>'author' = ${name})
    select id from scanned order by id desc limit 1`.execute(trx)
  return rows[0]?.id
}
