// Values shared by all processes of an installation.
import { assertDefined } from '../../base/assert.ts'
import type { Database, Db, Trx } from './database.ts'

/** The id of this installation. Processes with the same id share one store for files. */
export const INSTALLATION = 'installation_id'

/** The caller states the type of the value. */
export async function findSetting<T>(db: Db | Trx, name: string): Promise<T | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row === undefined ? undefined : (row.value as T)
}

/** As `findSetting`; it stays as it is until the transaction ends. */
export async function lockSetting<T>(trx: Trx, name: string): Promise<T | undefined> {
  const row = await trx
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : (row.value as T)
}

/** Inserts a value; an existing one stays. */
export const insertSetting = (trx: Trx, name: string, value: unknown) =>
  trx
    .insertInto('settings')
    .values({ name, value: JSON.stringify(value) })
    .onConflict(conflict => conflict.column('name').doNothing())
    .execute()

/** Writes a value, replacing any previous one. */
export const updateSetting = (db: Db | Trx, name: string, value: unknown) =>
  db
    .updateTable('settings')
    .set({ value: JSON.stringify(value) })
    .where('name', '=', name)
    .execute()

export const removeSetting = (db: Db | Trx, name: string) =>
  db.deleteFrom('settings').where('name', '=', name).execute()

/** The value under `name`; the first process that asks creates it, and all processes get the same one. */
export async function readSetting<T>(
  { db, transaction }: Pick<Database, 'db' | 'transaction'>,
  name: string,
  make: () => T,
): Promise<T> {
  const found = await findSetting<T>(db, name)
  if (found !== undefined) return found
  return transaction(async trx => {
    await insertSetting(trx, name, make())
    return assertDefined(await findSetting<T>(trx, name), 'it is there now, of this process or a faster one')
  })
}
