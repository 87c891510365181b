// Free space on the disk of a folder.
import { statfs } from 'node:fs/promises'

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
