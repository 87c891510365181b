// SQL over collections.
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { type Person, rankIn, rankOf, withEffectiveRoles } from '../../access/roles.ts'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type Page, type PageQuery, page } from '../../platform/db/page.ts'
import type { Collections } from '../../platform/db/tables.ts'

export type CollectionRow = Selectable<Collections>

/** A collection with the rank of the caller. */
export type SeenCollection = CollectionRow & { readonly rank: number }

export const findCollection = (db: Db | Trx, id: string): Promise<CollectionRow | undefined> =>
  db.selectFrom('collections').selectAll().where('id', '=', id).executeTakeFirst()

/** A collection that the transaction holds. */
export const getCollection = (trx: Trx, id: string): Promise<CollectionRow> =>
  trx.selectFrom('collections').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** The row, locked until the transaction ends. */
export const lockCollection = (trx: Trx, id: string): Promise<CollectionRow | undefined> =>
  trx.selectFrom('collections').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

const ADMIN = sql.lit(rankOf('admin'))

/** Of `collectionsWithEffectiveRole`: the person's role on the collection as a rank, 0 for none. */
export const RANK_ON_COLLECTION: RawBuilder<number> = sql<number>`case
  when memberships.rank = ${ADMIN} then memberships.rank else coalesce(folders.rank, 0) end`

/** The collections of one organization, each with what decides the person's rank on it: `RANK_ON_COLLECTION`. */
export const collectionsWithEffectiveRole = (db: Db, organizationId: string, person: Person) =>
  withEffectiveRoles(db, person, organizationId)
    .selectFrom('collections')
    .innerJoin('memberships', 'memberships.organization_id', 'collections.organization_id')
    .leftJoinLateral(rankIn('folders', sql`collections.id`).as('folders'), join => join.onTrue())

/**
 * The collections of an organization that somebody has a role on, by position; with `nested` false those at the root.
 * The query decides, so pages of results are full and the count is exact.
 */
export function listCollections(
  db: Db,
  organizationId: string,
  person: Person,
  { nested, ...query }: PageQuery & { readonly nested: boolean },
): Promise<Page<SeenCollection>> {
  const all = collectionsWithEffectiveRole(db, organizationId, person)
    .selectAll('collections')
    .select(RANK_ON_COLLECTION.as('rank'))
    .where(sql<boolean>`${RANK_ON_COLLECTION} > 0`)
  return page(nested ? all : all.where('collections.parent_id', 'is', null), {
    question: { list: 'collections', organization: organizationId, person: person.userId, nested },
    by: [
      ['position', 'asc'],
      ['id', 'asc'],
    ],
    ...query,
  })
}

/** Whether somebody may create in at least one collection of the organization. */
export async function mayCreateInSome(db: Db, organizationId: string, person: Person): Promise<boolean> {
  const found = await collectionsWithEffectiveRole(db, organizationId, person)
    .select('collections.id')
    .where(sql<boolean>`${RANK_ON_COLLECTION} >= ${sql.lit(rankOf('create'))}`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export const countCollections = (db: Db | Trx, organizationId: string): Promise<number> =>
  countRows(db.selectFrom('collections').where('organization_id', '=', organizationId))

export const insertCollection = (trx: Trx, row: Insertable<Collections>): Promise<CollectionRow> =>
  trx.insertInto('collections').values(row).returningAll().executeTakeFirstOrThrow()

export const updateCollection = (
  trx: Trx,
  id: string,
  change: Updateable<Collections>,
): Promise<CollectionRow> =>
  trx.updateTable('collections').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** A new position for each of these collections. */
export const updateCollectionPositions = (trx: Trx, positions: ReadonlyMap<string, string>) =>
  sql`update collections set position = one.position
    from unnest(${[...positions.keys()]}::text[], ${[...positions.values()]}::text[]) as one (id, position)
    where collections.id = one.id`.execute(trx)

/** Moves collections to another organization; their parents are among them. */
export const updateCollectionOwner = (trx: Trx, ids: readonly string[], organizationId: string) =>
  trx
    .updateTable('collections')
    .set({ organization_id: organizationId })
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute()

/**
 * Moves the collections in a collection to its parent. An inherited level becomes explicit, so that members keep their
 * roles.
 */
export const updateContents = (trx: Trx, { id, parent_id, default_level }: CollectionRow) =>
  trx
    .updateTable('collections')
    .set({ parent_id, default_level: inherited(default_level) })
    .where('parent_id', '=', id)
    .execute()

/** The `default_level` of a collection's contents without it: `inherit` becomes its own level. */
export const inherited = (level: CollectionRow['default_level']) =>
  sql<CollectionRow['default_level']>`case default_level when 'inherit' then ${level} else default_level end`

export const removeCollection = (trx: Trx, id: string) =>
  trx.deleteFrom('collections').where('id', '=', id).execute()
