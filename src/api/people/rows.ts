// SQL over everything that names one person.
import { sql } from 'kysely'
import { now } from '../../base/clock.ts'
import type { Db, Trx } from '../../platform/db/database.ts'

/** The organizations in whose audit they acted. By its index: once for each organization. */
export async function findOrganizationsActedIn(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from organizations
    where exists (select from events where events.organization_id = organizations.id and actor_id = ${userId})
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * The columns by which rows go with a user. Read from the schema, so that a table of another module, or a later one,
 * is not forgotten.
 */
export async function listOwnedColumns(db: Db): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select classes.relname as table, attributes.attname as column
    from pg_constraint join pg_class as classes on classes.oid = pg_constraint.conrelid
    join pg_attribute as attributes
      on attributes.attrelid = pg_constraint.conrelid and attributes.attnum = pg_constraint.conkey[1]
    where pg_constraint.contype = 'f' and pg_constraint.confrelid = 'users'::regclass
      and pg_constraint.confdeltype = 'c' and cardinality(pg_constraint.conkey) = 1
    order by 1, 2`.execute(db)
  return rows
}

/** Deletes at most `batch` rows of a table that name the person. Returns how many. */
export async function removeOwned(
  trx: Trx,
  { table, column }: { readonly table: string; readonly column: string },
  userId: string,
  batch: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.ref(column)} = ${userId} limit ${batch}))`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

export type Erasure = { readonly name: string | null; readonly completed_at: Date | null }

export const findErasure = (db: Db, userId: string): Promise<Erasure | undefined> =>
  db.selectFrom('erasures').select(['name', 'completed_at']).where('user_id', '=', userId).executeTakeFirst()

export const insertErasure = (trx: Trx, userId: string, name: string) =>
  trx
    .insertInto('erasures')
    .values({ user_id: userId, name })
    .onConflict(conflict => conflict.column('user_id').doNothing())
    .execute()

export const completeErasure = (trx: Trx, userId: string) =>
  trx.updateTable('erasures').set({ completed_at: now(), name: null }).where('user_id', '=', userId).execute()
