// The ObjectStore on PostgreSQL: append-only rows, read in batches and cached in the process by LRUs, which are bounded
// in bytes and need no invalidation, because nothing under a hash ever changes. They do not use platform/cache, which
// loads one key at a time: here one statement reads everything that is not cached.
import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { inSlices } from '../../base/slices.ts'
import { decodeNode, mayHaveFiles } from '../../engines/content/objects.ts'
import { blobsOf } from '../../engines/content/reachable.ts'
import type { Hash, Node } from '../../engines/content/records.ts'
import type {
  NodeSource,
  ObjectReads,
  ObjectStore,
  StoredObject,
  WrittenObjects,
} from '../../engines/content/store.ts'
import { batchesOf } from '../../platform/db/batches.ts'
import { byteArray } from '../../platform/db/byte-arrays.ts'
import type { Db, Trx } from '../../platform/db/database.ts'

// What an LRU entry costs besides its bytes: key, object and list nodes.
const ENTRY_BYTES = 256
// Decoded records take about three times their bytes.
const DECODED_FACTOR = 3

/** `bytesMax` bounds the cache of the process: half for decoded nodes, half for documents. */
export function createObjectStore(db: Db, bytesMax: number): ObjectStore & NodeSource & WrittenObjects {
  const bodies = new LRUCache<Hash, Uint8Array>({
    maxSize: Math.ceil(bytesMax / 2),
    sizeCalculation: body => body.length + ENTRY_BYTES,
  })
  const nodes = new LRUCache<Hash, Node>({ maxSize: Math.ceil(bytesMax / 2) })
  return {
    getMany: hashes =>
      through(bodies, hashes, async unknown => {
        const rows = await readRows(db, unknown)
        for (const [hash, body] of rows) bodies.set(hash, body)
        return rows
      }),
    getNodes: hashes =>
      through(nodes, hashes, async unknown => {
        const decoded = new Map<Hash, Node>()
        const written = new Map<Hash, Uint8Array>()
        for (const hash of unknown) {
          const body = bodies.get(hash)
          if (body !== undefined) written.set(hash, body)
        }
        const stored = await readRows(
          db,
          unknown.filter(hash => !written.has(hash)),
        )
        for await (const [hash, body] of inSlices([...written, ...stored])) {
          const node = decodeNode(hash, body)
          nodes.set(hash, node, { size: body.length * DECODED_FACTOR + ENTRY_BYTES })
          decoded.set(hash, node)
        }
        return decoded
      }),
    async hasMany(hashes) {
      if (hashes.length === 0) return new Set()
      const rows = await db.selectFrom('objects').select('hash').where(oneOf(hashes)).execute()
      return new Set(rows.map(row => row.hash.toString('hex')))
    },
    putMany: objects => insertObjects(db, objects),
    remember(objects) {
      for (const { hash, body } of objects) bodies.set(hash, body)
    },
  }
}

/** Reads within a transaction: sees its own writes, and caches nothing. */
export const transactionReads = (trx: Trx): ObjectReads => ({ getMany: hashes => readRows(trx, hashes) })

/** Reads what is stored now, bypassing the cache. */
export const storedReads = (db: Db): ObjectReads => ({ getMany: hashes => readRows(db, hashes) })

/** Cached values, and the rest from one call of `load`. */
async function through<V extends object>(
  kept: LRUCache<Hash, V>,
  hashes: readonly Hash[],
  load: (unknown: readonly Hash[]) => Promise<Map<Hash, V>>,
): Promise<Map<Hash, V>> {
  const found = new Map<Hash, V>()
  const unknown: Hash[] = []
  for (const hash of hashes) {
    const value = kept.get(hash)
    if (value === undefined) unknown.push(hash)
    else found.set(hash, value)
  }
  if (unknown.length > 0) for (const [hash, value] of await load(unknown)) found.set(hash, value)
  return found
}

// Per query: its answer is parsed in one step.
const READ_ROWS_MAX = 1000

async function readRows(db: Db | Trx, hashes: readonly Hash[]): Promise<Map<Hash, Uint8Array>> {
  const read = new Map<Hash, Uint8Array>()
  for (const batch of batchesOf(hashes, READ_ROWS_MAX)) {
    const rows = await db.selectFrom('objects').select(['hash', 'body']).where(oneOf(batch)).execute()
    for (const { hash, body } of rows) read.set(hash.toString('hex'), body)
  }
  return read
}

export const oneOf = (hashes: readonly Hash[]) => sql<boolean>`hash = any(${hashes.map(toBytes)}::bytea[])`
export const toBytes = (hash: Hash): Buffer => Buffer.from(hash, 'hex')

// Per statement.
const INSERT_ROWS_MAX = 500
const INSERT_BYTES_MAX = 2 * 1024 * 1024

/**
 * Stores objects. Existing ones are touched, never skipped: the sweeper relies on a revision's writer touching every
 * object that is new in it (sweep.ts).
 */
export async function insertObjects(db: Db | Trx, objects: readonly StoredObject[]): Promise<void> {
  const batches = batchesOf(inOrder(objects), INSERT_ROWS_MAX, INSERT_BYTES_MAX, object => object.body.length)
  for (const batch of batches)
    await sql`with ${sql.join(await objectWrites(batch, sql``))} select`.execute(db)
}

/** Whether `objectWrites` takes all of them. */
export const fitsOneStatement = (objects: readonly StoredObject[]): boolean =>
  objects.length <= INSERT_ROWS_MAX &&
  objects.reduce((bytes, { body }) => bytes + body.length, 0) <= INSERT_BYTES_MAX

/**
 * Parts of one statement, because an object never exists without the names that keep its files. Nothing is written
 * unless `from`, as in `, moved`, yields a row.
 */
export async function objectWrites(
  objects: readonly StoredObject[],
  from: RawBuilder<unknown>,
): Promise<RawBuilder<unknown>[]> {
  if (objects.length === 0) return []
  // In hash order, so that two writers of the same objects cannot deadlock.
  const ordered = inOrder(objects)
  const hashes = byteArray(ordered.map(object => toBytes(object.hash)))
  const kinds = ordered.map(object => object.kind)
  const bodies = byteArray(ordered.map(({ body }) => body))
  const put = sql`put as (
    insert into objects (hash, kind, body)
    select given.* from unnest(${hashes}::bytea[], ${kinds}::text[], ${bodies}::bytea[]) as given${from}
    on conflict (hash) do update set touched_at = now() where objects.touched_at < now() - interval '1 hour'
    returning hash)`
  const { leaves, blobs } = await findNamed(ordered)
  if (leaves.length === 0) return [put]
  // After all objects: a sweep that is removing an object also removes its names, and is waited for.
  const named = sql`named as (
    insert into object_blobs (object_hash, blob_hash)
    select given.* from unnest(${leaves}::bytea[], ${blobs}::bytea[]) as given${from}
    where (select count(*) from put) >= 0
    on conflict do nothing)`
  return [put, named]
}

/** Pairs of a leaf and a blob that it names, at the same index. */
export type Named = { readonly leaves: Buffer[]; readonly blobs: Buffer[] }

export async function findNamed(objects: readonly StoredObject[]): Promise<Named> {
  const named: Named = { leaves: [], blobs: [] }
  for await (const { kind, hash, body } of inSlices(objects)) {
    if (kind !== 'node' || !mayHaveFiles(body)) continue
    for (const blob of blobsOf(decodeNode(hash, body))) {
      named.leaves.push(toBytes(hash))
      named.blobs.push(toBytes(blob))
    }
  }
  return named
}

/** Without duplicates, sorted by hash. */
const inOrder = (objects: readonly StoredObject[]): StoredObject[] =>
  [...new Map(objects.map(object => [object.hash, object])).values()].sort((a, b) =>
    a.hash < b.hash ? -1 : 1,
  )
