// Leaves that an older version wrote are read once, in the background, for the blobs that their files name. Until all of
// them were looked at no blob is removed. One that cannot be read is written down, and tried again before each sweep:
// somebody may mend it. While there is one the sweep leaves alone what it might name (platform/blobs/sweep.ts).
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { assert } from '../../base/assert.ts'
import type { Services } from '../../http/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { findSetting, removeSetting, updateSetting } from '../../platform/db/settings.ts'
import { findNamed, type Named } from './objects.ts'

/** The hash up to which leaves were read; absent: all were. */
const READ_TO = 'blobs_named_after'
const AT_ONCE = 200

/** Removes the blobs that nothing names any more, once it is known of all files what names them. */
export async function sweepFiles(services: Pick<Services, 'db' | 'blobSweep' | 'log'>): Promise<void> {
  await nameBlobs(services)
  await tryUnread(services)
  await services.blobSweep.run()
}

/** Goes on from where the last process stopped. In several processes at once each reads the same. */
async function nameBlobs({ db }: Pick<Services, 'db'>): Promise<void> {
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
    const { unread } = await readNames(db, rows)
    await sql`insert into unread_objects (object_hash)
      select hash from objects where hash = any(${unread}::bytea[]) for key share
      on conflict do nothing`.execute(db)
    await updateSetting(db, READ_TO, last.hash.toString('hex'))
  }
}

type Row = { readonly hash: Buffer; readonly body: Buffer }

/** Writes down what each of the nodes names, but for those that cannot be read. */
async function readNames(db: Db, rows: readonly Row[]): Promise<{ read: Buffer[]; unread: Buffer[] }> {
  const read: Buffer[] = []
  const unread: Buffer[] = []
  const named: Named = { leaves: [], blobs: [] }
  for (const { hash, body } of rows) {
    try {
      // Bytes that do not match their hash may name files, too.
      assert(createHash('sha256').update(body).digest().equals(hash), 'the bytes are others')
      const { leaves, blobs } = await findNamed([{ hash: hash.toString('hex'), kind: 'node', body }])
      named.leaves.push(...leaves)
      named.blobs.push(...blobs)
      read.push(hash)
    } catch {
      unread.push(hash)
    }
  }
  await insertNames(db, named)
  return { read, unread }
}

/** Some of them, those first that were tried the longest ago. */
async function tryUnread({ db, log }: Pick<Services, 'db' | 'log'>): Promise<void> {
  const { rows } = await sql<Row>`
    update unread_objects set tried_at = clock_timestamp() from objects
    where objects.hash = object_hash
      and object_hash in (select object_hash from unread_objects order by tried_at limit ${AT_ONCE})
    returning hash, body`.execute(db)
  if (rows.length === 0) return
  const { read, unread } = await readNames(db, rows)
  await sql`delete from unread_objects where object_hash = any(${read}::bytea[])`.execute(db)
  if (unread.length > 0) log.warn({ objects: unread.length, first: unread[0]?.toString('hex') }, UNREAD)
}

const UNREAD = 'objects cannot be read, so files that they may name are kept: octavo doctor has more'

/** A leaf may have been swept meanwhile, and is then not there to be referred to. */
export const insertNames = (db: Db, { leaves, blobs }: Named) =>
  sql`insert into object_blobs (object_hash, blob_hash)
    select named.* from unnest(${leaves}::bytea[], ${blobs}::bytea[]) as named (leaf, blob)
      join objects on objects.hash = named.leaf
    for key share of objects
    on conflict do nothing`.execute(db)
