// SQL over what git clients see of a space: its revisions, the commits that they are, and its branches.
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/open.ts'
import type { GitCommits } from '../../platform/db/tables.ts'

export type CommitRow = Selectable<GitCommits>

/** A revision with what its commit says; what `git_commits` has of it is null until it was made. */
export type HistoryRow = {
  readonly id: string
  readonly root: string
  readonly type: string
  readonly parents: readonly string[]
  readonly created_at: Date
  /** Of the commit that it was imported as. */
  readonly message: string | null
  readonly imported: string | null
  readonly display_name: string | null
  readonly email: string | null
  readonly merged_number: number | null
  readonly merged_subject: string | null
  readonly commit: CommitRow | null
}

/** Every revision of a space and of its change requests, the oldest first. */
export async function listHistory(db: Db, spaceId: string): Promise<HistoryRow[]> {
  const rows = await db
    .selectFrom('revisions as r')
    .leftJoin('users as u', 'u.id', 'r.created_by')
    .leftJoin('change_requests as m', 'm.id', 'r.merged_from')
    .leftJoin('git_commits as c', 'c.revision_id', 'r.id')
    .select([
      'r.id',
      'r.type',
      'r.parents',
      'r.created_at',
      'u.display_name',
      'u.email',
      'm.number as merged_number',
      'm.subject as merged_subject',
      'c.oid',
      'c.author_name',
      'c.author_email',
      'c.message as commit_message',
      'c.summary_root',
    ])
    .select(sql<string>`encode(r.root_hash, 'hex')`.as('root'))
    .select(sql<string | null>`r.git->>'message'`.as('message'))
    .select(sql<string | null>`r.git->>'oid'`.as('imported'))
    .where('r.space_id', '=', spaceId)
    .where('r.is_standalone', '=', false)
    .orderBy('r.created_at')
    .orderBy('r.id')
    .execute()
  return rows.map(({ oid, author_name, author_email, commit_message, summary_root, ...row }) => ({
    ...row,
    commit:
      oid === null || summary_root === null
        ? null
        : {
            revision_id: row.id,
            space_id: spaceId,
            oid,
            author_name: author_name ?? '',
            author_email: author_email ?? '',
            message: commit_message ?? '',
            summary_root,
          },
  }))
}

/** `oid`: absent until its commit was made. */
export type Branch = { readonly name: string; readonly revisionId: string; readonly oid: string | null }

/** The space itself, and its change requests that are under way. */
export async function listBranches(db: Db, spaceId: string): Promise<Branch[]> {
  const rows = await db
    .selectFrom(
      db
        .selectFrom('spaces')
        .select([sql<number | null>`null::integer`.as('number'), 'revision_id'])
        .where('id', '=', spaceId)
        .unionAll(
          db
            .selectFrom('change_requests')
            .select(['number', 'revision_id'])
            .where('space_id', '=', spaceId)
            .where('status', 'in', ['draft', 'open']),
        )
        .as('b'),
    )
    .leftJoin('git_commits as c', 'c.revision_id', 'b.revision_id')
    .select(['b.number', 'b.revision_id', 'c.oid'])
    .execute()
  return rows.map(({ number, revision_id, oid }) => ({
    name: number === null ? 'main' : `change-requests/${number}`,
    revisionId: revision_id,
    oid,
  }))
}

export const findCommits = (db: Db, revisionIds: readonly string[]): Promise<CommitRow[]> =>
  db
    .selectFrom('git_commits')
    .selectAll()
    .where('revision_id', 'in', [...revisionIds])
    .execute()

/** Those that another process wrote meanwhile stay as they are. */
export const insertCommits = (db: Db, rows: readonly Insertable<GitCommits>[]) =>
  db
    .insertInto('git_commits')
    .values([...rows])
    .onConflict(conflict => conflict.column('revision_id').doNothing())
    .execute()

/** The files of a revision are written differently than by the Octavo that made its commit first. */
export const replaceCommit = (db: Db, { revision_id, oid }: Pick<CommitRow, 'revision_id' | 'oid'>) =>
  db.updateTable('git_commits').set({ oid }).where('revision_id', '=', revision_id).execute()
