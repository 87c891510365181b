// How much of the disk the repositories of all spaces take: a cache, of which those that nobody asks for go first.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { now } from '../../base/clock.ts'
import { dropCache, packBytes } from '../../platform/git/cache.ts'

// Somebody may still be sent what is in it.
const IN_USE_MS = 3600_000

/** The file that is touched whenever somebody fetches or pushes. */
export const USED_FILE = 'HEAD'

/**
 * Removes repositories below `folder` until they have at most `bytesMax` bytes; answers how many it was. Those that were
 * used within the last hour stay.
 *
 * @param alone runs what is given once nobody else works in the directory
 */
export async function makeRoom(
  folder: string,
  bytesMax: number,
  alone: (directory: string, run: () => Promise<void>) => Promise<void>,
): Promise<number> {
  const before = now().getTime() - IN_USE_MS
  const kept: { directory: string; bytes: number; usedAt: number }[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const directory = join(folder, name)
    const used = await stat(join(directory, USED_FILE)).catch(() => undefined)
    kept.push({ directory, bytes: await packBytes(directory), usedAt: used?.mtimeMs ?? 0 })
  }
  let total = kept.reduce((sum, { bytes }) => sum + bytes, 0)
  let removed = 0
  for (const { directory, bytes, usedAt } of kept.sort((one, other) => one.usedAt - other.usedAt)) {
    if (total <= bytesMax || usedAt > before) break
    await alone(directory, () => dropCache(directory))
    total -= bytes
    removed += 1
  }
  return removed
}
