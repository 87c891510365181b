// What names blobs: the list that the sweep reads. A blob that no row of these tables names can no longer be read.
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/**
 * Every table whose rows name blobs, each in a column `blob_hash`: the SHA-256 of the bytes, or null. A row is
 * written within a day of the put. The table has the triggers of `look_after_blobs` (migration 0027) and an index on
 * the column; `names.test.ts` checks this for every table of the database.
 */
export const NAMING_TABLES: readonly string[] = [
  'object_blobs',
  'git_packs',
  'git_histories',
  'uploads',
  'template_files',
]

/** Blobs named by rows other than content; those named by content are found through its revisions. */
export async function listNamesBesideContent(db: Db): Promise<string[]> {
  const tables = NAMING_TABLES.filter(table => table !== 'object_blobs')
  const { rows } = await sql<{ hash: Buffer }>`${sql.join(
    tables.map(table => sql`select blob_hash as hash from ${sql.table(table)} where blob_hash is not null`),
    sql` union `,
  )}`.execute(db)
  return rows.map(({ hash }) => hash.toString('hex'))
}
