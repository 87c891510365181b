// SQL over what git clients see of a space: its revisions, their commits, and its branches.
import { type Insertable, type Selectable, sql } from 'kysely'
import { batchesOf } from '../../platform/db/batches.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { GitBranches, GitCommits } from '../../platform/db/tables.ts'
import { MAIN, nameBranches } from './branches.ts'

export type CommitRow = Selectable<GitCommits>

/** A revision with its commit; the columns of `git_commits` are null until the commit was made. */
export type HistoryRow = {
  readonly id: string
  readonly root: string
  readonly type: string
  readonly parents: readonly string[]
  readonly created_at: Date
  /** The message of the commit that it was imported or exported as. */
  readonly message: string | null
  readonly imported: string | null
  readonly isExported: boolean
  readonly display_name: string | null
  readonly email: string | null
  readonly merged_number: number | null
  readonly merged_subject: string | null
  readonly commit: CommitRow | null
}

const selectHistory = (db: Db, spaceId: string) =>
  db
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
      'c.is_pushed',
      'c.onto',
    ])
    .select(sql<string>`encode(r.root_hash, 'hex')`.as('root'))
    .select(sql<string | null>`r.git->>'message'`.as('message'))
    .select(sql<string | null>`r.git->>'oid'`.as('imported'))
    .select(sql<boolean>`coalesce((r.git->>'createdByGitBook')::boolean, false)`.as('isExported'))
    .where('r.space_id', '=', spaceId)
    .where('r.is_standalone', '=', false)

type JoinedRow = Awaited<ReturnType<ReturnType<typeof selectHistory>['execute']>>[number]

const toHistoryRow = (spaceId: string, joined: JoinedRow): HistoryRow => {
  const { oid, author_name, author_email, commit_message, summary_root, is_pushed, onto, ...row } = joined
  if (oid === null || summary_root === null) return { ...row, commit: null }
  return {
    ...row,
    commit: {
      revision_id: row.id,
      space_id: spaceId,
      oid,
      author_name: author_name ?? '',
      author_email: author_email ?? '',
      message: commit_message ?? '',
      summary_root,
      is_pushed: is_pushed ?? false,
      onto,
    },
  }
}

// Steps that read revisions by id. A longer history is read in pages.
const STEPS_BY_ID = 2
const PAGE = 500

/**
 * `tips` and their ancestors, up to and including the first for which `isThere` is true; oldest first. May include
 * other revisions of the space.
 */
export async function readHistory(
  db: Db,
  spaceId: string,
  tips: readonly string[],
  isThere: (row: HistoryRow) => boolean,
): Promise<ReadonlyMap<string, HistoryRow>> {
  const found = new Map<string, HistoryRow>()
  const asked = new Set<string>()
  const seen = new Set<string>()
  const keep = (rows: readonly JoinedRow[]) => {
    for (const row of rows) found.set(row.id, toHistoryRow(spaceId, row))
  }
  let oldest: JoinedRow | undefined
  let waiting = [...tips]
  for (let step = 0; waiting.length > 0; step += 1) {
    const unknown = waiting.filter(id => !found.has(id))
    for (const id of unknown) asked.add(id)
    keep(await selectHistory(db, spaceId).where(sql<boolean>`r.id = any(${unknown}::text[])`).execute())
    if (step >= STEPS_BY_ID) {
      const page = await pageOf(db, spaceId, oldest)
      keep(page)
      oldest = page.at(-1) ?? oldest
    }
    const beyond: string[] = []
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const row = found.get(id)
      // The parent of a duplicate's first revision is in another space.
      if (row === undefined && !asked.has(id)) beyond.push(id)
      if (row === undefined || seen.has(id)) continue
      seen.add(id)
      if (!isThere(row)) waiting.push(...row.parents)
    }
    waiting = beyond
  }
  const ordered = [...found.values()].sort(
    (one, other) => one.created_at.getTime() - other.created_at.getTime() || (one.id < other.id ? -1 : 1),
  )
  return new Map(ordered.map(row => [row.id, row]))
}

const pageOf = (db: Db, spaceId: string, before: JoinedRow | undefined): Promise<JoinedRow[]> =>
  selectHistory(db, spaceId)
    .$if(before !== undefined, query =>
      query.where(sql<boolean>`(r.created_at, r.id) < (${before?.created_at}, ${before?.id})`),
    )
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(PAGE)
    .execute()

export type Branch = {
  readonly name: string
  /** The number of the change request; null for the space itself. */
  readonly number: number | null
  readonly changeRequestId: string | null
  readonly revisionId: string
  /** Absent until its commit was made. */
  readonly oid: string | null
}

/** The space itself, and its draft and open change requests. */
export async function listBranches(db: Db | Trx, spaceId: string): Promise<Branch[]> {
  const rows = await db
    .selectFrom(
      db
        .selectFrom('spaces')
        .select([
          sql<number | null>`null::integer`.as('number'),
          sql<string | null>`null::text`.as('id'),
          'revision_id',
          sql<string | null>`null::text`.as('wanted'),
        ])
        .where('id', '=', spaceId)
        .unionAll(
          db
            .selectFrom('change_requests as cr')
            .leftJoin('git_branches as n', 'n.change_request_id', 'cr.id')
            .select(['cr.number', 'cr.id', 'cr.revision_id', 'n.name as wanted'])
            .where('cr.space_id', '=', spaceId)
            .where('cr.status', 'in', ['draft', 'open']),
        )
        .as('b'),
    )
    .leftJoin('git_commits as c', 'c.revision_id', 'b.revision_id')
    .select(['b.number', 'b.id', 'b.revision_id', 'b.wanted', 'c.oid'])
    .execute()
  const names = nameBranches(
    rows.flatMap(({ number, wanted }) => (number === null ? [] : [{ number, wanted }])),
  )
  return rows.map(({ number, id, revision_id, oid }) => ({
    name: (number === null ? undefined : names.get(number)) ?? MAIN,
    number,
    changeRequestId: id,
    revisionId: revision_id,
    oid,
  }))
}

export const insertBranch = (trx: Trx, row: Insertable<GitBranches>) =>
  trx.insertInto('git_branches').values(row).execute()

export const findCommits = (db: Db, revisionIds: readonly string[]): Promise<CommitRow[]> =>
  db
    .selectFrom('git_commits')
    .selectAll()
    .where(sql<boolean>`revision_id = any(${[...revisionIds]}::text[])`)
    .execute()

/** A commit that is a revision, or several of them. */
export type KnownCommit = {
  readonly oid: string
  readonly revisionId: string
  readonly root: string
  readonly summaryRoot: string
  /** It belongs to the space itself, not to a change request. */
  readonly isMain: boolean
}

export type KnownCommits = {
  /** If several revisions share a commit, the one of the space itself. */
  readonly byOid: ReadonlyMap<string, KnownCommit>
  readonly byRevision: ReadonlyMap<string, KnownCommit>
}

/** Every commit that is a revision of the space. */
export async function listCommits(db: Db, spaceId: string): Promise<KnownCommits> {
  const rows = await db
    .selectFrom('git_commits as c')
    .innerJoin('revisions as r', 'r.id', 'c.revision_id')
    .select(['c.oid', 'c.revision_id as revisionId'])
    .select(sql<string>`encode(r.root_hash, 'hex')`.as('root'))
    .select(sql<string>`encode(c.summary_root, 'hex')`.as('summaryRoot'))
    .select(sql<boolean>`r.change_request_id is null`.as('isMain'))
    .where('c.space_id', '=', spaceId)
    .execute()
  const byOid = new Map<string, KnownCommit>()
  for (const row of rows) if (byOid.get(row.oid)?.isMain !== true) byOid.set(row.oid, row)
  return { byOid, byRevision: new Map(rows.map(row => [row.revisionId, row])) }
}

// PostgreSQL takes at most 65,535 parameters in a statement, and a row has up to nine.
const INSERT_ROWS_MAX = 1_000

/** Rows that another process has written in the meantime stay as they are. */
export async function insertCommits(db: Db | Trx, commits: readonly Insertable<GitCommits>[]): Promise<void> {
  for (const rows of batchesOf(commits, INSERT_ROWS_MAX))
    await db
      .insertInto('git_commits')
      .values(rows)
      .onConflict(conflict => conflict.column('revision_id').doNothing())
      .execute()
}

/** For a revision whose files this version writes differently from the one that first made its commit. */
export const replaceCommit = (db: Db, { revision_id, oid }: Pick<CommitRow, 'revision_id' | 'oid'>) =>
  db
    .updateTable('git_commits')
    .set({ oid, is_pushed: false })
    .where('revision_id', '=', revision_id)
    .execute()

const NAMED_AT_ONCE = 1_000

/**
 * Gives pushed commits of a person another author's name; those of the next revisions after one, or from the first.
 * Returns the last that was looked at; undefined: there are no more. A commit that was made from a revision keeps its
 * author: its id is a hash of it, and clones have it.
 */
export async function replacePushedAuthor(
  trx: Trx,
  userId: string,
  by: string,
  after: string | undefined,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with scanned as materialized (
      select id from revisions where created_by = ${userId} and id > ${after ?? ''}
      order by id limit ${NAMED_AT_ONCE}),
    replaced as (
      update git_commits set author_name = ${by}, author_email = ''
      where revision_id = any(array(select id from scanned)) and is_pushed)
    select id from scanned order by id desc limit 1`.execute(trx)
  return rows[0]?.id
}

/** Commits that were made from revisions of a person, and name them. */
export async function countMadeCommits(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from revisions join git_commits on git_commits.revision_id = revisions.id
    where revisions.created_by = ${userId} and not git_commits.is_pushed`.execute(db)
  return rows[0]?.count ?? 0
}

/** The blobs of packs pushed to a space, and of the histories that it was imported with. */
export async function listPacks(db: Db, spaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('git_packs')
    .select(['blob_hash', 'created_at'])
    .where('space_id', '=', spaceId)
    .union(
      db
        .selectFrom('git_histories')
        .select([sql<Buffer>`blob_hash`.as('blob_hash'), 'created_at'])
        .where('space_id', '=', spaceId)
        .where('blob_hash', 'is not', null),
    )
    .orderBy('created_at')
    .execute()
  return [...new Set(rows.map(row => row.blob_hash.toString('hex')))]
}

// A fetch ends long before this.
const FETCH_MINUTES_MAX = 15

/** The newest commit whose history is being fetched, unless a commit of the revision was made without it. */
export async function findHistoryOnItsWay(db: Db, spaceId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('git_histories')
    .select('oid')
    .where('space_id', '=', spaceId)
    .where('blob_hash', 'is', null)
    .where('left_out', 'is', null)
    .where(sql<boolean>`created_at > now() - make_interval(mins => ${FETCH_MINUTES_MAX})`)
    .where(sql<boolean>`not exists (select 1 from git_commits as c join revisions as r on r.id = c.revision_id
      where c.space_id = git_histories.space_id and r.git->>'oid' = git_histories.oid)`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.oid
}

export const insertPack = (trx: Trx, spaceId: string, sha256: string) =>
  trx
    .insertInto('git_packs')
    .values({ space_id: spaceId, blob_hash: Buffer.from(sha256, 'hex') })
    .onConflict(conflict => conflict.doNothing())
    .execute()
