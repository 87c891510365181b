// SQL over collections.
import type { Selectable } from 'kysely'
import type { Db, Trx } from '../../platform/db/open.ts'
import type { Collections } from '../../platform/db/tables.ts'

export type CollectionRow = Selectable<Collections>

export const findCollection = (db: Db | Trx, id: string): Promise<CollectionRow | undefined> =>
  db.selectFrom('collections').selectAll().where('id', '=', id).executeTakeFirst()
