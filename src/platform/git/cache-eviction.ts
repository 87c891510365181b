// Limits the disk space of the caches in one folder: the least recently used are removed first.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { now } from '../../base/clock.ts'
import { dropCache, packBytes } from './cache.ts'

/** The file that is touched whenever a cache is used. */
export const USED_FILE = 'HEAD'

export type EvictionRules = {
  readonly bytesMax: number
  /** Caches used within this time stay. */
  readonly inUseMs: number
  /** Runs `run` while no other work happens in the directory. */
  readonly alone: (directory: string, run: () => Promise<void>) => Promise<void>
}

/** Removes caches below `folder` until they have at most `bytesMax` bytes; answers how many it removed. */
export async function evictCaches(
  folder: string,
  { bytesMax, inUseMs, alone }: EvictionRules,
): Promise<number> {
  const before = now().getTime() - inUseMs
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
