// Checks that objects match their hashes and that everything revisions need exists.
import { sql } from 'kysely'
import { inSlices, pause } from '../../base/slices.ts'
import { decodeNode } from '../../engines/content/objects.ts'
import { blobsOf, documentOf } from '../../engines/content/reachable.ts'
import type { Hash } from '../../engines/content/records.ts'
import { EMPTY_ROOT } from '../../engines/content/trie.ts'
import { batchesOf } from '../../platform/db/batches.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Named, oneOf, storedReads, toBytes } from './objects.ts'

// Per statement: hashing holds the session of an embedded database.
const SIZES_AT_ONCE = 5_000
const HASHED_BYTES_MAX = 8 * 1024 * 1024
const NODES_AT_ONCE = 500

/** Objects whose bytes do not match their hashes; `report` gets the number checked so far. */
export async function findDamagedObjects(
  db: Db,
  report: (count: number) => void,
  signal: AbortSignal,
): Promise<{ count: number; damaged: Set<Hash> }> {
  const damaged = new Set<Hash>()
  let count = 0
  for (let after = ''; ; ) {
    const { rows } = await sql<{ hash: Buffer; bytes: number }>`
      select hash, octet_length(body) as bytes from objects
      where hash > ${toBytes(after)} order by hash limit ${SIZES_AT_ONCE}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return { count, damaged }
    after = last.hash.toString('hex')
    for (const batch of batchesOf(rows, SIZES_AT_ONCE, HASHED_BYTES_MAX, ({ bytes }) => bytes)) {
      signal.throwIfAborted()
      const { rows: wrong } = await sql<{ hash: Buffer }>`
        select hash from objects
        where hash = any(${batch.map(({ hash }) => hash)}::bytea[]) and sha256(body) <> hash`.execute(db)
      for (const { hash } of wrong) damaged.add(hash.toString('hex'))
      count += batch.length
      report(count)
    }
  }
}

export type ReachableContent = {
  /** Objects that a revision names but that do not exist. */
  readonly missing: Set<Hash>
  /** The blobs that any revision's files name. */
  readonly blobs: Set<Hash>
  /** Blobs that a leaf names without the sweep knowing. */
  readonly unknown: Named
}

/** Visits every node of all revisions once. Nothing is known below a damaged or missing node. */
export async function walkRevisions(db: Db, signal: AbortSignal): Promise<ReachableContent> {
  const reads = storedReads(db)
  const roots = await db.selectFrom('revisions').select('root_hash').distinct().execute()
  const seen = new Set<Hash>([EMPTY_ROOT])
  const isNew = (hash: Hash): boolean => !seen.has(hash) && seen.add(hash) !== undefined
  const waiting = roots.map(row => row.root_hash.toString('hex')).filter(isNew)
  const reached: ReachableContent = {
    missing: new Set(),
    blobs: new Set(),
    unknown: { leaves: [], blobs: [] },
  }
  while (waiting.length > 0) {
    signal.throwIfAborted()
    const batch = waiting.splice(-NODES_AT_ONCE)
    const bodies = await reads.getMany(batch)
    const documents: Hash[] = []
    const named: Named = { leaves: [], blobs: [] }
    for await (const hash of inSlices(batch)) {
      const body = bodies.get(hash)
      const node = body === undefined ? undefined : tryDecode(hash, body)
      if (body === undefined) reached.missing.add(hash)
      if (node?.kind === 'inner') waiting.push(...node.children.filter(isNew))
      if (node?.kind !== 'leaf') continue
      for (const entry of node.entries) {
        const document = documentOf(entry)
        if (document !== null && isNew(document)) documents.push(document)
      }
      for (const blob of blobsOf(node)) {
        reached.blobs.add(blob)
        named.leaves.push(toBytes(hash))
        named.blobs.push(toBytes(blob))
      }
    }
    for (const hash of await findMissing(db, documents)) reached.missing.add(hash)
    for (const { leaf, blob } of await findUnknown(db, named)) {
      reached.unknown.leaves.push(leaf)
      reached.unknown.blobs.push(blob)
    }
  }
  return reached
}

function tryDecode(hash: Hash, body: Uint8Array) {
  try {
    return decodeNode(hash, body)
  } catch {
    return undefined
  }
}

async function findMissing(db: Db, hashes: readonly Hash[]): Promise<Hash[]> {
  const missing: Hash[] = []
  for (const batch of batchesOf(hashes, SIZES_AT_ONCE)) {
    const rows = await db.selectFrom('objects').select('hash').where(oneOf(batch)).execute()
    const there = new Set(rows.map(({ hash }) => hash.toString('hex')))
    for (const hash of batch) if (!there.has(hash)) missing.push(hash)
    await pause()
  }
  return missing
}

async function findUnknown(db: Db, { leaves, blobs }: Named) {
  const { rows } = await sql<{ leaf: Buffer; blob: Buffer }>`
    select leaf, blob from unnest(${leaves}::bytea[], ${blobs}::bytea[]) as named (leaf, blob)
    where not exists (select from object_blobs where object_hash = leaf and blob_hash = blob)`.execute(db)
  return rows
}
