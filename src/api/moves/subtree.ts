// A collection with all of its contents, for a transfer.
import { sql } from 'kysely'
import type { UserPrincipal } from '../../access/principal.ts'
import { allSpacesWithEffectiveRole, personOf, RANK_ON_SPACE, rankOf } from '../../access/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { collectionsWithEffectiveRole, RANK_ON_COLLECTION } from '../collections/rows.ts'
import { listDescendants } from '../collections/tree.ts'

export type Subtree = {
  /** Outer ones first. */
  readonly collections: readonly string[]
  /** With deleted ones, which may be restored. */
  readonly spaces: readonly string[]
  /** Collections from its root down to the deepest; 0 for a space by itself. */
  readonly height: number
}

export async function findSubtree(db: Db, collectionId: string): Promise<Subtree> {
  const below = await listDescendants(db, collectionId)
  const collections = below.map(({ id }) => id)
  const spaces = await db
    .selectFrom('spaces')
    .select('id')
    .where(sql<boolean>`parent_id = any(${collections}::text[])`)
    .orderBy('id')
    .execute()
  return {
    collections,
    spaces: spaces.map(({ id }) => id),
    height: Math.max(...below.map(({ depth }) => depth)),
  }
}

const ADMIN = sql.lit(rankOf('admin'))

/** Whether somebody is admin of every part: each may have its own level or grants. */
export async function isAdminOfAll(
  db: Db,
  principal: UserPrincipal,
  organizationId: string,
  { collections, spaces }: Subtree,
): Promise<boolean> {
  const person = personOf(principal)
  const weakSpace = await allSpacesWithEffectiveRole(db, person, organizationId)
    .select('spaces.id')
    .where(sql<boolean>`spaces.id = any(${[...spaces]}::text[])`)
    .where(sql<boolean>`${RANK_ON_SPACE} < ${ADMIN}`)
    .executeTakeFirst()
  if (weakSpace !== undefined) return false
  const strong = await collectionsWithEffectiveRole(db, organizationId, person)
    .select('collections.id')
    .where(sql<boolean>`collections.id = any(${[...collections]}::text[])`)
    .where(sql<boolean>`${RANK_ON_COLLECTION} = ${ADMIN}`)
    .execute()
  return strong.length === collections.length
}
