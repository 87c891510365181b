// Sets of live rows: each space names the one that is read for it. A duplicate names its origin's set until one of the
// two is written to. A set that no space names is either being filled for a space or was left by one; it is removed
// later.
import { sql, type Updateable } from 'kysely'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { Projections } from '../../platform/db/tables.ts'

/** Increment when live rows change: older ones are rebuilt (content/rebuild-links.ts). */
export const PROJECTION_VERSION = 4

export const insertProjection = (trx: Trx, id: string) =>
  trx.insertInto('projections').values({ id, making: PROJECTION_VERSION }).execute()

/** A set for rows copied from another; no space names it yet. */
export const insertUnusedProjection = (db: Db, id: string, from: string) =>
  sql`insert into projections (id, making, unused_since)
    select ${id}, making, now() from projections where id = ${from}`.execute(db)

/** `sharers` is how many spaces name it. `version` changes when all of its rows are rewritten. */
type LockedProjection = { readonly sharers: number; readonly version: string }

/** Until the transaction ends, nobody else writes its rows, and no space starts or stops sharing it. */
export async function lockProjection(trx: Trx, id: string): Promise<LockedProjection> {
  const { rows } = await sql<LockedProjection>`select xmin::text as version,
      (select count(*)::integer from spaces where spaces.projection_id = projections.id) as sharers
    from projections where id = ${id} for update`.execute(trx)
  return rows[0] ?? { sharers: 0, version: '' }
}

export type ProjectionOfSpace = LockedProjection & {
  readonly projectionId: string
  /** The content that its rows describe: spaces that share it have the same content. */
  readonly revisionId: string
}

export async function findProjection(db: Db | Trx, spaceId: string): Promise<ProjectionOfSpace | undefined> {
  const { rows } =
    await sql<ProjectionOfSpace>`select spaces.projection_id as "projectionId", spaces.revision_id as "revisionId",
      (select xmin::text from projections where projections.id = spaces.projection_id) as version,
      (select count(*)::integer from spaces as other where other.projection_id = spaces.projection_id) as sharers
    from spaces where spaces.id = ${spaceId}`.execute(db)
  return rows[0]
}

export const updateProjection = (trx: Trx, id: string, change: Updateable<Projections>) =>
  trx.updateTable('projections').set(change).where('id', '=', id).execute()

// Far below the time after which unused sets are removed.
const MOVE_MINUTES_MAX = 20

/**
 * Makes the space read this set; a trigger marks the one that it leaves. False if the set was made too long ago: it may
 * be about to be removed. The caller has locked the row of the space.
 */
export async function moveToProjection(trx: Trx, spaceId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('projections')
    .set({ unused_since: null })
    .where('id', '=', id)
    .where(sql<boolean>`unused_since > now() - make_interval(mins => ${MOVE_MINUTES_MAX})`)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await trx.updateTable('spaces').set({ projection_id: id }).where('id', '=', spaceId).execute()
  return true
}

/** Sets that no space has named for this long, oldest first. */
export async function listUnusedProjections(db: Db, minutes: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('projections')
    .select('id')
    .where(sql<boolean>`unused_since < now() - make_interval(mins => ${minutes})`)
    .orderBy('unused_since')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Does nothing if a space names it. */
export const removeUnusedProjection = (db: Db, id: string) =>
  sql`delete from projections where id = ${id} and unused_since is not null
    and not exists (select from spaces where spaces.projection_id = projections.id)`.execute(db)

/** Part of a statement: locks the live rows of the space in `source`, so that nobody else writes them. */
export const lockingProjection = (source: string) =>
  sql`select id from projections where id = (select projection_id from ${sql.id(source)}) for update`
