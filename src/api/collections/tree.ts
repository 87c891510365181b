// The tree of collections: depth, ancestors, descendants and positions of siblings. Its shape and its order are changed
// by one transaction at a time (`lockTrees`), so what was read is still true when it is written.
import { type RawBuilder, sql } from 'kysely'
import { assert } from '../../base/assert.ts'
import { now } from '../../base/clock.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { positionAfter } from './positions.ts'

/** Levels of collections, from the root down. */
export const DEPTH_MAX = 20

/** Per organization; every decision about roles may visit each of them. */
export const COLLECTIONS_MAX = 10_000

/** The parent of siblings: a collection, or the root of an organization. */
export type Parent = { readonly organizationId: string; readonly parentId: string | null }

/**
 * Locks the trees of these organizations until the transaction ends. Locks are taken in one order, and before that of a
 * space. Rows that only refer to the organization do not wait.
 */
export const lockTrees = (trx: Trx, organizationIds: readonly string[]) =>
  trx
    .selectFrom('organizations')
    .select('id')
    .where('id', 'in', [...organizationIds])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** The number of collections down to this one, itself included; 0 at the root. */
export async function findDepth(db: Db | Trx, collectionId: string | null): Promise<number> {
  if (collectionId === null) return 0
  return (await listAncestors(db, collectionId)).length
}

/** The collection itself and its ancestors, innermost first. */
export async function listAncestors(db: Db | Trx, collectionId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive way as (
      select id, parent_id, 1 as depth from collections where id = ${collectionId}
      union all
      select up.id, up.parent_id, way.depth + 1 from way join collections as up on up.id = way.parent_id)
    select id from way order by depth`.execute(db)
  return rows.map(({ id }) => id)
}

/** The collection itself and its descendants, outermost first, with their depth below it. */
export async function listDescendants(
  db: Db | Trx,
  collectionId: string,
): Promise<{ id: string; depth: number }[]> {
  const { rows } = await sql<{ id: string; depth: number }>`
    with recursive below as (
      select id, 1 as depth from collections where id = ${collectionId}
      union all
      select one.id, below.depth + 1 from below join collections as one on one.parent_id = below.id)
    select id, depth from below order by depth, id`.execute(db)
  return rows
}

/** Whether a row of either kind is in this parent. */
export const isIn = ({ organizationId, parentId }: Parent): RawBuilder<boolean> =>
  parentId === null
    ? sql<boolean>`organization_id = ${organizationId} and parent_id is null`
    : sql<boolean>`organization_id = ${organizationId} and parent_id = ${parentId}`

/** The position of the last sibling; null if there is none. Deleted spaces count: they may be restored. */
export async function findLastPosition(trx: Trx, parent: Parent): Promise<string | null> {
  const { rows } = await sql<{ position: string }>`
    select position from (
      (select position from collections where ${isIn(parent)} order by position desc limit 1)
      union all
      (select position from spaces where ${isIn(parent)} order by position desc limit 1)) as lasts
    order by position desc limit 1`.execute(trx)
  return rows[0]?.position ?? null
}

/** The position of something new: last. Without room after the last sibling, both share a position, ordered by id. */
export async function choosePosition(trx: Trx, parent: Parent): Promise<string> {
  const last = await findLastPosition(trx, parent)
  const position = positionAfter(last, now()) ?? last
  assert(position !== null, 'there is always room for a first sibling')
  return position
}
