// Free space on the disk of a folder, and what a disk refuses.
import { statfs } from 'node:fs/promises'
import { diskFull, Failure, invalid, isDiskFull, isSystemError } from '../base/errors.ts'

/**
 * With less, writes are refused. One file of PostgreSQL's log takes 16 MB, and an embedded database that cannot begin the
 * next one ends, and cannot be opened to read either; what nobody asked for, such as when a token was used, goes on to
 * be written.
 */
export const FREE_BYTES_MIN = 48 * 1024 * 1024

export async function countFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** An error of writing `path`, as a failure with this code where the operator can mend it; other errors stay. */
export function toWriteFailure(error: unknown, code: string, path: string): unknown {
  if (error instanceof Failure) return error
  if (isDiskFull(error)) return diskFull(error)
  return isSystemError(error) ? invalid(code, `${path} cannot be written: ${error.message}`, error) : error
}
