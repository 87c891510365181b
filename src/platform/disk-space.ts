// Free space on a folder's disk, and write errors of a disk.
import { statfs } from 'node:fs/promises'
import { diskFull, Failure, invalid, isDiskFull, isSystemError } from '../base/errors.ts'

/**
 * Writes are refused below this. One file of PostgreSQL's log takes 16 MB, and an embedded database that cannot begin
 * the next one ends, and cannot be opened even for reads; internal writes, such as when a token was last used,
 * continue.
 */
export const FREE_BYTES_MIN = 48 * 1024 * 1024

export async function countFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * An error of writing `path`, as a failure with this code if the operator can fix it; other errors stay as they are.
 */
export function toWriteFailure(error: unknown, code: string, path: string): unknown {
  if (error instanceof Failure) return error
  if (isDiskFull(error)) return diskFull(error)
  return isSystemError(error) ? invalid(code, `${path} cannot be written: ${error.message}`, error) : error
}
