// Copies the folder of an embedded database while it is in use, as pg_basebackup does: from the checkpoint that
// pg_backup_start writes, files are copied in whatever state they are, and the log of concurrent writes makes the
// copy consistent when it is opened.
import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Failure } from '../../base/errors.ts'
import { countFreeBytes, FREE_BYTES_MIN } from '../disk-space.ts'
import { ifMissing } from '../missing-files.ts'
import type { Db } from './database.ts'
import { withoutDeadline } from './statement-deadline.ts'

// Each takes one of the four threads that Node has for files.
const COPIES_AT_ONCE = 2
const LOG = 'pg_wal'
// Files of the running process, and of single queries.
const LEFT_OUT = new Set([LOG, 'postmaster.pid', 'backup_label', 'pgsql_tmp'])
// The log written while the files are copied.
const LOG_BYTES = 64 * 1024 * 1024

/**
 * Copies the database `db` in the folder `from` to `to`, a folder that does not exist yet; requests continue
 * meanwhile. No checkpoint may happen until it is done: it would remove the log that the copy needs.
 */
export async function copyEmbedded(db: Db, from: string, to: string, signal: AbortSignal): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  await withoutDeadline(db, session => sql`select pg_backup_start('octavo', true)`.execute(session))
  const copied = await copyTree(from, to, signal).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  const stopped = withoutDeadline(db, session =>
    sql<{ label: string }>`select labelfile as label from pg_backup_stop(false)`.execute(session),
  )
  if (copied !== undefined) {
    await stopped.catch(() => {})
    throw copied.error
  }
  const { rows } = await stopped
  await mkdir(join(to, LOG), { mode: 0o700 })
  for (const name of await filesIn(join(from, LOG))) await copy(join(from, LOG, name), join(to, LOG, name))
  await writeFile(join(to, 'backup_label'), rows[0]?.label ?? '')
}

async function copyTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  const files: string[] = []
  let bytes = LOG_BYTES
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1)
    if (path.split('/').some(name => LEFT_OUT.has(name))) continue
    if (entry.isDirectory()) await mkdir(join(to, path), { recursive: true, mode: 0o700 })
    else {
      files.push(path)
      bytes += (await stat(join(from, path)).catch(ifMissing))?.size ?? 0
    }
  }
  if (!(await sharesBlocks(join(from, 'PG_VERSION'), join(to, 'PG_VERSION')))) await needRoom(to, bytes)
  const copyNext = async () => {
    for (let path = files.pop(); path !== undefined; path = files.pop()) {
      signal.throwIfAborted()
      await mkdir(join(to, path, '..'), { recursive: true, mode: 0o700 })
      await copy(join(from, path), join(to, path))
    }
  }
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, copyNext))
}

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true })).filter(entry => entry.isFile()).map(({ name }) => name)

// A table that is dropped or rewritten takes its files with it: their replacements are in the log.
const copy = (from: string, to: string) => copyFile(from, to, constants.COPYFILE_FICLONE).catch(ifMissing)

/** Whether a copy shares its blocks with the original, as on btrfs and XFS. */
const sharesBlocks = (from: string, to: string): Promise<boolean> =>
  copyFile(from, to, constants.COPYFILE_FICLONE_FORCE).then(
    () => true,
    () => false,
  )

async function needRoom(folder: string, bytes: number): Promise<void> {
  const room = (await countFreeBytes(folder)) - FREE_BYTES_MIN
  if (room >= bytes) return
  const megabytes = (count: number) => `${Math.ceil(Math.max(0, count) / 2 ** 20)} MB`
  throw new Failure(
    'storage_full',
    'no_room_for_copy',
    `The embedded database is copied within OCTAVO_HOME while it is read, which takes ${megabytes(bytes)} for a while; there is room for ${megabytes(room)}.`,
  )
}
