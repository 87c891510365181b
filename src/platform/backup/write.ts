// Writes a backup of one moment while the database is in use, reads it back, and only then gives it its name.
import { createHash } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { assert } from '../../base/assert.ts'
import { now } from '../../base/clock.ts'
import { conflict, invalid } from '../../base/errors.ts'
import { hashed } from '../../base/hashed.ts'
import { newId } from '../../base/ids.ts'
import { holdingBlobs } from '../blobs/holds.ts'
import type { BlobStore } from '../blobs/store.ts'
import type { Database, Db, Trx } from '../db/database.ts'
import { listApplied } from '../db/migrate.ts'
import { inSnapshot } from '../db/snapshot.ts'
import { toWriteFailure } from '../disk-space.ts'
import type { Log } from '../log.ts'
import { VERSION } from '../version.ts'
import { type ArchiveWriter, writeArchive } from './archive.ts'
import { withCopy } from './copy.ts'
import {
  type BackupEnd,
  type BackupHeader,
  blobName,
  END,
  FORMAT,
  HEADER,
  PORTION_BYTES_MAX,
  rowsName,
} from './format.ts'
import { readBackup } from './read.ts'
import { listTables, readRows, spellPlainly } from './tables.ts'

export type BackupSource = {
  readonly db: Db
  readonly copyTo: Database['copyTo']
  readonly blobs: Pick<BlobStore, 'list' | 'read'>
  /** Where an embedded database is copied to, to be read. */
  readonly home: string
  readonly log: Log
}

/** `total` is 0 if unknown. */
export type ReportProgress = (stage: string, done: number, total: number) => void

export type BackupResult = { readonly bytes: number } & Pick<BackupEnd, 'tables' | 'blobs' | 'damaged'>

// Two backups would copy an embedded database to the same place.
const running = new Set<string>()

/**
 * Contains everything acknowledged before the call, and concurrent transactions as a whole or not at all.
 *
 * @throws {Failure} invalid `file_exists`, `folder_missing`, `file_refused`; conflict `backup_running`; storage_full.
 */
export async function writeBackup(
  source: BackupSource,
  path: string,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<BackupResult> {
  if (running.has(source.home))
    throw conflict('backup_running', 'Another backup is being made. Wait until it is done.')
  running.add(source.home)
  const unfinished = `${path}.unfinished-${newId()}`
  try {
    await checkPlace(path)
    await writeAll(source, unfinished, report, signal)
    const { end } = await readBackup(unfinished, {}, signal, entries => report('checking', entries, 0))
    const { size } = await stat(unfinished)
    await rename(unfinished, path)
    await syncFolder(dirname(path))
    return { bytes: size, tables: end.tables, blobs: end.blobs, damaged: end.damaged }
  } catch (error) {
    await rm(unfinished, { force: true })
    throw toWriteFailure(error, 'file_refused', path)
  } finally {
    running.delete(source.home)
  }
}

async function checkPlace(path: string): Promise<void> {
  if ((await stat(path).catch(() => undefined)) !== undefined)
    throw invalid('file_exists', `${path} exists already. Give the backup another name.`)
  const folder = await stat(dirname(path)).catch(() => undefined)
  if (folder?.isDirectory() !== true)
    throw invalid('folder_missing', `There is no folder ${dirname(path)} to write the backup to.`)
}

async function writeAll(
  source: BackupSource,
  path: string,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<void> {
  const archive = writeArchive(path)
  try {
    // No blob is removed meanwhile: every file that the rows name is still there in its turn.
    const counts = await holdingBlobs(source.db, async () => ({
      tables: await atOneMoment(source, report, signal, trx => writeTables(archive, trx, report, signal)),
      ...(await writeBlobs(archive, source.blobs, report, signal)),
    }))
    const end: BackupEnd = { ...counts, sha256: archive.hash() }
    await archive.add(END, Buffer.from(JSON.stringify(end)))
    await archive.finish()
  } catch (error) {
    await archive.abandon(error)
    throw error
  }
}

/** A server keeps a snapshot for its readers; an embedded database is copied, because others need its only session. */
function atOneMoment<T>(
  { db, copyTo, home, log }: BackupSource,
  report: ReportProgress,
  signal: AbortSignal,
  run: (trx: Trx) => Promise<T>,
): Promise<T> {
  if (copyTo === undefined) return inSnapshot(db, run)
  report('copying the database', 0, 0)
  return withCopy(home, copyTo, { log, signal }, copy => inSnapshot(copy.db, run))
}

async function writeTables(
  archive: ArchiveWriter,
  trx: Trx,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<BackupEnd['tables']> {
  await spellPlainly(trx)
  const header: BackupHeader = {
    format: FORMAT,
    octavo: VERSION,
    madeAt: now().toISOString(),
    migrations: (await listApplied(trx)).map(({ name, checksum }) => ({ name, checksum })),
  }
  await archive.add(HEADER, Buffer.from(JSON.stringify(header)))
  const tables = await listTables(trx)
  const counts: Record<string, number> = {}
  for (const [done, table] of tables.entries()) {
    report('saving tables', done, tables.length)
    let count = 0
    let portion = 0
    for await (const { count: more, json } of readRows(trx, table)) {
      signal.throwIfAborted()
      const bytes = Buffer.from(json)
      assert(bytes.length <= PORTION_BYTES_MAX, `a row of ${table.name} is larger than a backup can hold`)
      portion += 1
      await archive.add(rowsName(table.name, portion), bytes)
      count += more
    }
    counts[table.name] = count
  }
  return counts
}

async function writeBlobs(
  archive: ArchiveWriter,
  blobs: BackupSource['blobs'],
  report: ReportProgress,
  signal: AbortSignal,
): Promise<Pick<BackupEnd, 'blobs' | 'damaged'>> {
  let count = 0
  const damaged: string[] = []
  for await (const { sha256, size, content } of readAhead(blobs, signal)) {
    const hash = createHash('sha256')
    await archive.addStream(blobName(sha256), size, hashed(content, hash))
    if (hash.digest('hex') !== sha256) damaged.push(sha256)
    count += 1
    report('saving files', count, 0)
  }
  return { blobs: count, damaged }
}

type Read = {
  readonly sha256: string
  readonly size: number
  readonly content: Readable
}

// A bucket takes its time for each file, so several small ones are requested at once; of a larger file, only a piece
// is in memory.
const SMALL_BYTES_MAX = 1024 * 1024
const READS_AT_ONCE = 8

/** Blobs in list order; small ones are read ahead while earlier ones are written. */
async function* readAhead(blobs: BackupSource['blobs'], signal: AbortSignal): AsyncGenerator<Read> {
  const ahead: Promise<Read | undefined>[] = []
  async function* yieldDownTo(left: number): AsyncGenerator<Read> {
    while (ahead.length > left) {
      const read = await ahead.shift()
      if (read === undefined) continue
      try {
        signal.throwIfAborted()
        yield read
      } finally {
        // An unread stream would keep its file open.
        read.content.destroy()
      }
    }
  }
  try {
    for await (const { sha256, size } of blobs.list()) {
      const isSmall = size <= SMALL_BYTES_MAX
      // A large blob is requested in its turn, because its sender does not wait for long.
      yield* yieldDownTo(isSmall ? READS_AT_ONCE - 1 : 0)
      signal.throwIfAborted()
      const reading = isSmall ? readWhole(blobs, sha256) : readPieces(blobs, sha256)
      // The error is thrown in the blob's turn.
      reading.catch(() => {})
      ahead.push(reading)
      if (!isSmall) yield* yieldDownTo(0)
    }
    yield* yieldDownTo(0)
  } finally {
    await Promise.allSettled(ahead)
  }
}

async function readWhole(blobs: BackupSource['blobs'], sha256: string): Promise<Read | undefined> {
  const blob = await blobs.read(sha256)
  if (blob === undefined) return undefined
  const bytes = await buffer(blob.stream)
  // The entry's size is that of the bytes, even if a rotten blob is shorter than listed.
  return { sha256, size: bytes.length, content: Readable.from([bytes]) }
}

async function readPieces(blobs: BackupSource['blobs'], sha256: string): Promise<Read | undefined> {
  const blob = await blobs.read(sha256)
  return blob && { sha256, size: blob.size, content: blob.stream }
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}
