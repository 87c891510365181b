// SQL over the last state of each branch that a space was imported from or exported to, and over the commits whose
// changes it has.
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Hash } from '../../engines/content/records.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { GitTips } from '../../platform/db/tables.ts'

export type TipRow = Selectable<GitTips>

/** A directory on a branch of a repository. */
export type Place = {
  readonly address: string
  readonly ref: string
  readonly projectDirectory: string
}

/** The place of folders and archives. */
export const FOLDERS: Place = { address: '', ref: '', projectDirectory: '' }

/** Per space; the oldest are removed. */
const TIPS_MAX = 100

export const findTip = (
  db: Db | Trx,
  spaceId: string,
  { address, ref, projectDirectory }: Place,
): Promise<TipRow | undefined> =>
  db
    .selectFrom('git_tips')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('address', '=', address)
    .where('ref', '=', ref)
    .where('project_directory', '=', projectDirectory)
    .executeTakeFirst()

/** Those that later states are merged from; the newest first. */
export const listTips = (db: Db | Trx, spaceId: string): Promise<TipRow[]> =>
  db
    .selectFrom('git_tips')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('is_forgotten', '=', false)
    .orderBy('updated_at', 'desc')
    .execute()

/** Those with the same directory whose changes the space has, of whichever repository. */
export const listRelatedTips = async (
  db: Db | Trx,
  spaceId: string,
  { projectDirectory }: Pick<Place, 'projectDirectory'>,
): Promise<TipRow[]> =>
  (await listTips(db, spaceId)).filter(
    tip =>
      tip.project_directory === projectDirectory && tip.commit_oid !== null && tip.change_request_id === null,
  )

export async function upsertTip(trx: Trx, row: Insertable<GitTips>): Promise<void> {
  const { space_id, address: _, ref: __, project_directory: ___, ...change } = row
  await trx
    .insertInto('git_tips')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['space_id', 'address', 'ref', 'project_directory']).doUpdateSet(change),
    )
    .execute()
  await sql`delete from git_tips where space_id = ${space_id} and updated_at < (
    select updated_at from git_tips where space_id = ${space_id}
    order by updated_at desc offset ${TIPS_MAX - 1} limit 1)`.execute(trx)
}

/** The place holds a commit whose changes the space has only as a change request. */
export const recordProposal = (trx: Trx, { space_id, ...tip }: TipKey, changeRequestId: string) =>
  trx
    .updateTable('git_tips')
    .set({ change_request_id: changeRequestId })
    .where('space_id', '=', space_id)
    .where('address', '=', tip.address)
    .where('ref', '=', tip.ref)
    .where('project_directory', '=', tip.project_directory)
    .execute()

type TipKey = Pick<TipRow, 'space_id' | 'address' | 'ref' | 'project_directory'>

/** The content was replaced, or the space disconnected: the next import from each place is a first one. */
export async function forgetTips(trx: Trx, spaceId: string): Promise<void> {
  await trx.updateTable('git_tips').set({ is_forgotten: true }).where('space_id', '=', spaceId).execute()
  await trx.deleteFrom('git_known_commits').where('space_id', '=', spaceId).execute()
}

/** Whether exactly this content came from, or was written to, a repository, a folder or an archive. */
export async function isHeldElsewhere(db: Db, spaceId: string, root: Hash): Promise<boolean> {
  const row = await db
    .selectFrom('git_tips')
    .select('revision_id')
    .where('space_id', '=', spaceId)
    .where(
      sql<boolean>`(select root_hash from revisions where id = git_tips.revision_id) = ${Buffer.from(root, 'hex')}`,
    )
    .where('change_request_id', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function isKnownCommit(
  db: Db,
  spaceId: string,
  projectDirectory: string,
  oid: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('git_known_commits')
    .select('oid')
    .where('space_id', '=', spaceId)
    .where('project_directory', '=', projectDirectory)
    .where('oid', '=', oid)
    .executeTakeFirst()
  return row !== undefined
}

export const insertKnownCommit = (trx: Trx, spaceId: string, projectDirectory: string, oid: string) =>
  trx
    .insertInto('git_known_commits')
    .values({ space_id: spaceId, project_directory: projectDirectory, oid })
    .onConflict(conflict => conflict.doNothing())
    .execute()

/** The ancestors of a commit, unless it is not known itself: its changes were proposed, or replaced by now. */
export const insertAncestors = async (
  db: Db,
  spaceId: string,
  projectDirectory: string,
  oid: string,
  ancestors: readonly string[],
): Promise<void> => {
  await sql`insert into git_known_commits (space_id, project_directory, oid)
    select ${spaceId}, ${projectDirectory}, each from unnest(${[...ancestors]}::text[]) as each
    where exists (select from git_known_commits
      where space_id = ${spaceId} and project_directory = ${projectDirectory} and oid = ${oid})
    on conflict do nothing`.execute(db)
}
