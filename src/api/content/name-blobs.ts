// Leaves that an older version wrote are read once, in the background, for the blobs that their files name. Until all of
// them are read no blob is removed.
import { sql } from 'kysely'
import type { StoredObject } from '../../engines/content/store.ts'
import type { Services } from '../../http/context.ts'
import type { Db } from '../../platform/db/open.ts'
import { findSetting, removeSetting, updateSetting } from '../../platform/db/settings.ts'
import { findNamed, type Named } from './objects.ts'

/** The hash up to which leaves were read; absent: all were. */
const READ_TO = 'blobs_named_after'
const AT_ONCE = 200

/** Removes the blobs that nothing names any more, once it is known of all files what names them. */
export async function sweepFiles(services: Pick<Services, 'db' | 'blobSweep'>): Promise<void> {
  await nameBlobs(services)
  await services.blobSweep.run()
}

/** Goes on from where the last process stopped. In several processes at once each reads the same. */
export async function nameBlobs({ db }: Pick<Services, 'db'>): Promise<void> {
  for (;;) {
    const after = await findSetting<string>(db, READ_TO)
    if (after === undefined) return
    const { rows } = await sql<{ hash: Buffer; body: Buffer }>`
      select hash, body from objects where kind = 'node' and hash > ${Buffer.from(after, 'hex')}
      order by hash limit ${AT_ONCE}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) {
      await removeSetting(db, READ_TO)
      return
    }
    const leaves = rows.map(
      ({ hash, body }): StoredObject => ({ hash: hash.toString('hex'), kind: 'node', body }),
    )
    const named = await findNamed(leaves)
    await insertNames(db, named)
    await updateSetting(db, READ_TO, last.hash.toString('hex'))
  }
}

/** A leaf may have been swept meanwhile, and is then not there to be referred to. */
export const insertNames = (db: Db, { leaves, blobs }: Named) =>
  sql`insert into object_blobs (object_hash, blob_hash)
    select named.* from unnest(${leaves}::bytea[], ${blobs}::bytea[]) as named (leaf, blob)
      join objects on objects.hash = named.leaf
    for key share of objects
    on conflict do nothing`.execute(db)
