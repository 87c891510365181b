// What names blobs: the one list that the sweep reads. What no row of these tables names, nobody can read any more.

/**
 * Every table whose rows name blobs, each in a column `blob_hash`: the SHA-256 of the bytes, or null. A row is written
 * within a day of the put. The table has the triggers of `look_after_blobs` (migration 0027) and an index on the column;
 * `names.test.ts` holds every table of the database to it.
 */
export const NAMING_TABLES: readonly string[] = ['object_blobs', 'git_packs', 'uploads', 'template_files']
