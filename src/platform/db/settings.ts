// Values that every process of one installation shares.
import type { Database, Db } from './open.ts'

/** The value under `name`; the first process that asks makes it, and everybody gets that one. */
export async function readSetting(
  { db, transaction }: Pick<Database, 'db' | 'transaction'>,
  name: string,
  make: () => string,
): Promise<string> {
  const found = await findSetting(db, name)
  if (found !== undefined) return found
  return transaction(async trx => {
    await trx
      .insertInto('settings')
      .values({ name, value: JSON.stringify(make()) })
      .onConflict(conflict => conflict.column('name').doNothing())
      .execute()
    return (await findSetting(trx, name)) as string
  })
}

async function findSetting(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row === undefined ? undefined : (row.value as string)
}
