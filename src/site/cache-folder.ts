// A folder of files that can be made again.
import { mkdir, rm } from 'node:fs/promises'

/**
 * Answers a function to be awaited before each write: the folder is there then. It is emptied at first, since what is
 * in it was left by an earlier process.
 */
export function cacheFolder(path: string): () => Promise<void> {
  let emptied: Promise<void> | undefined
  return async () => {
    emptied ??= rm(path, { recursive: true, force: true })
    const current = emptied
    try {
      await current
      // Somebody may have removed it.
      await mkdir(path, { recursive: true, mode: 0o700 })
    } catch (error) {
      // What failed once is tried again.
      if (emptied === current) emptied = undefined
      throw error
    }
  }
}
