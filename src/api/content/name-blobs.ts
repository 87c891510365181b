// Leaves written by an older version are read once, in the background, for the blobs that their files name. No blob is
// removed before all leaves were read. An unreadable one is recorded and tried again before each sweep, in case it was
// repaired; until then the sweep keeps what it might name (platform/blobs/sweep.ts).
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { assert } from '../../base/assert.ts'
import type { Services } from '../../http/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { findSetting, removeSetting, updateSetting } from '../../platform/db/settings.ts'
import { findNamed, type Named } from './objects.ts'

/** The hash up to which leaves were read; absent once all were. */
const READ_TO = 'blobs_named_after'
const AT_ONCE = 200

/** Removes the blobs that nothing names any more, once it is known which blobs all leaves name. */
export async function sweepFiles(services: Pick<Services, 'db' | 'blobSweep' | 'log'>): Promise<void> {
  await nameBlobs(services)
  await tryUnread(services)
  await services.blobSweep.run()
}

/** Continues where the last process stopped. Several processes may run it at once: each reads the same. */
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

/** Records what each node names, except for unreadable ones. */
async function readNames(db: Db, rows: readonly Row[]): Promise<{ read: Buffer[]; unread: Buffer[] }> {
  const read: Buffer[] = []
  const unread: Buffer[] = []
  const named: Named = { leaves: [], blobs: [] }
  for (const { hash, body } of rows) {
    try {
      // Bytes that do not match their hash may name files, too.
      assert(createHash('sha256').update(body).digest().equals(hash), 'the bytes match their hash')
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

/** Tries some of them, least recently tried first. */
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

/** Skips leaves that were swept in the meantime: rows can only refer to existing leaves. */
export const insertNames = (db: Db, { leaves, blobs }: Named) =>
  sql`insert into object_blobs (object_hash, blob_hash)
    select named.* from unnest(${leaves}::bytea[], ${blobs}::bytea[]) as named (leaf, blob)
      join objects on objects.hash = named.leaf
    for key share of objects
    on conflict do nothing`.execute(db)
