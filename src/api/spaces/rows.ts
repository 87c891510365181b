// SQL over spaces.

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { MAY_SEE_SPACE, type Person, RANK_ON_SPACE, spacesWithEffectiveRole } from '../../access/roles.ts'
import { missing } from '../../base/errors.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { Spaces } from '../../platform/db/tables.ts'
import { type CollectionRow, inherited } from '../collections/rows.ts'
import type { SpaceMergeRules } from '../organizations/schema.ts'
import type { GitSyncState, Space } from './schema.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'spaces.language': Space['language'] & {}
    'spaces.merge_rules': SpaceMergeRules
  }
}

/** A space with the hash of its head's content and its repository. */
export type SpaceRow = Selectable<Spaces> & {
  readonly root_hash: Buffer
  /** The access version of its organization. */
  readonly access_version: string
  readonly git: {
    provider: (GitSyncState['installationProvider'] & {}) | null
    url: string | null
    repo_name: string | null
    updated_at: string
  } | null
}

/** Counts for the wire. No decision depends on them. */
export type SpaceCounts = {
  /** Open comments on the space itself. */
  readonly comments: number
  readonly change_requests: number
  readonly open: number
  readonly draft: number
}

/** One query for every column that decides something or is shown, with the head's root and the repository. */
const selectSpaces = (db: Db | Trx) =>
  db
    .selectFrom('spaces')
    .innerJoin('revisions', 'revisions.id', 'spaces.revision_id')
    .leftJoin('git_links', 'git_links.space_id', 'spaces.id')
    .selectAll('spaces')
    .select('revisions.root_hash')
    .select(
      sql<string>`coalesce((select version from access_versions
        where access_versions.organization_id = spaces.organization_id), 0)::text`.as('access_version'),
    )
    .select(
      sql<SpaceRow['git']>`case when git_links.space_id is null then null else json_build_object(
        'provider', git_links.provider, 'url', git_links.url, 'repo_name', git_links.repo_name,
        'updated_at', git_links.updated_at) end`.as('git'),
    )

/** The rows of these spaces, in the order of the ids. */
export async function findSpaces(db: Db, ids: readonly string[]): Promise<SpaceRow[]> {
  if (ids.length === 0) return []
  const rows = await selectSpaces(db)
    .where(sql<boolean>`spaces.id = any(${[...ids]}::text[])`)
    .execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/**
 * Only open comments and change requests are counted row by row: change requests are never deleted, so the highest
 * number is their count.
 */
export async function countInSpaces(
  db: Db | Trx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SpaceCounts>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<SpaceCounts & { id: string }>`
    select id,
      (select count(*)::integer from comments where comments.space_id = one.id
        and comments.change_request_id is null and comments.resolved_at is null) as comments,
      coalesce((select max(number) from change_requests where change_requests.space_id = one.id), 0) as change_requests,
      (select count(*)::integer from change_requests where change_requests.space_id = one.id and status = 'open') as open,
      (select count(*)::integer from change_requests where change_requests.space_id = one.id and status = 'draft') as draft
    from unnest(${[...ids]}::text[]) as one (id)`.execute(db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

export const findSpace = (db: Db | Trx, id: string): Promise<SpaceRow | undefined> =>
  selectSpaces(db).where('spaces.id', '=', id).executeTakeFirst()

/** A space that is not deleted. */
export const getUndeletedSpace = async (db: Db | Trx, id: string): Promise<SpaceRow> => {
  const row = await findSpace(db, id)
  if (row === undefined || row.deleted_at !== null) throw missing('space')
  return row
}

/** A space that the transaction holds. */
export const getSpace = (trx: Trx, id: string): Promise<SpaceRow> =>
  selectSpaces(trx).where('spaces.id', '=', id).executeTakeFirstOrThrow()

/**
 * The row of a space, deleted or not, locked until the transaction ends. The key is not locked: inserting rows that
 * refer to the space does not wait.
 */
export const lockAnySpace = (trx: Trx, id: string): Promise<Selectable<Spaces> | undefined> =>
  trx.selectFrom('spaces').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** The same for a space that is not deleted. */
export async function lockSpace(trx: Trx, id: string): Promise<Selectable<Spaces> | undefined> {
  const space = await lockAnySpace(trx, id)
  return space?.deleted_at === null ? space : undefined
}

/** Part of a statement: moves the head of a space; no row if it is not `from` or the space is deleted. */
export const movingSpaceHead = (id: string, from: string, to: string) =>
  sql<Selectable<Spaces>>`update spaces set revision_id = ${to}, updated_at = clock_timestamp()
    where id = ${id} and revision_id = ${from} and deleted_at is null returning *`

/** A space that a person may see, with their rank on it. */
export type SeenSpace = { readonly id: string; readonly rank: number }

/** The spaces of an organization where somebody may `access`. A subquery of ids. */
export const accessibleSpaces = (db: Db, organizationId: string, person: Person) =>
  spacesWithEffectiveRole(db, person, organizationId)
    .select('spaces.id')
    .where('spaces.organization_id', '=', organizationId)
    .where(sql<boolean>`${RANK_ON_SPACE} > 0`)

/** Spaces in any organization that somebody may find: public ones, and those of their organizations they may see. */
export const visibleSpaces = (db: Db, person: Person) =>
  spacesWithEffectiveRole(db, person).where(
    sql<boolean>`(spaces.visibility = 'public' or (spaces.visibility <> 'unlisted' and ${MAY_SEE_SPACE})
      or ${RANK_ON_SPACE} > 0)`,
  )

export const insertSpace = (trx: Trx, row: Insertable<Spaces>) =>
  trx.insertInto('spaces').values(row).execute()

export const updateSpace = (trx: Trx, id: string, change: Updateable<Spaces>) =>
  trx.updateTable('spaces').set(change).where('id', '=', id).execute()

/** A new position for each of these spaces. */
export const updateSpacePositions = (trx: Trx, positions: ReadonlyMap<string, string>) =>
  sql`update spaces set position = one.position
    from unnest(${[...positions.keys()]}::text[], ${[...positions.values()]}::text[]) as one (id, position)
    where spaces.id = one.id`.execute(trx)

/**
 * Moves the spaces of a collection to its parent, with deleted ones. An inherited level becomes explicit, and the
 * visibility `in-collection` private: others may open the parent.
 */
export const updateSpacesIn = (trx: Trx, { id, parent_id, default_level }: CollectionRow) =>
  trx
    .updateTable('spaces')
    .set({
      parent_id,
      default_level: inherited(default_level),
      visibility: sql<
        SpaceRow['visibility']
      >`case visibility when 'in-collection' then 'private' else visibility end`,
    })
    .where('parent_id', '=', id)
    .execute()

/**
 * Moves spaces to another organization. The visibility `in-collection` becomes private: others may open the collections
 * there.
 */
export const updateSpaceOwner = (trx: Trx, ids: readonly string[], organizationId: string) =>
  trx
    .updateTable('spaces')
    .set({
      organization_id: organizationId,
      visibility: sql<
        SpaceRow['visibility']
      >`case visibility when 'in-collection' then 'private' else visibility end`,
    })
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute()

/**
 * Removes at most `batch` spaces that were deleted before `before`. Locked ones, which somebody may be restoring, are
 * left for the next purge.
 */
export async function removeDeletedSpaces(
  trx: Trx,
  before: Date,
  batch: number,
): Promise<{ id: string; organization_id: string }[]> {
  const removed = await trx
    .selectFrom('spaces')
    .select(['id', 'organization_id'])
    .where('deleted_at', '<', before)
    .orderBy('deleted_at')
    .limit(batch)
    .forUpdate()
    .skipLocked()
    .execute()
  if (removed.length > 0) {
    const ids = removed.map(({ id }) => id)
    await trx.deleteFrom('spaces').where('id', 'in', ids).execute()
  }
  return removed
}
