// A cache of files on the disk: PDF files, which are read more than once and in parts, and the pictures in them.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../base/canonical.ts'
import { diskFull, isDiskFull } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { createImmutableCache } from '../../platform/cache/cache.ts'
import { cacheFolder } from '../cache-folder.ts'

export type CachedFile = { readonly path: string; readonly size: number }

export interface FileCache {
  /** The file of this key, made if there is none; concurrent requests share it. */
  get(key: string, make: () => Promise<Uint8Array>): Promise<CachedFile>
}

/** `folder` is emptied: its files were left by an earlier process. */
export function createFileCache(folder: string, bytesMax: number): FileCache {
  const cache = createImmutableCache<CachedFile>({
    maxSize: bytesMax,
    sizeCalculation: ({ size }) => Math.max(1, size),
    dispose: ({ path }) => void rm(path, { force: true }).catch(() => {}),
  })
  const ready = cacheFolder(folder)

  const write = async (bytes: Uint8Array): Promise<CachedFile> => {
    const file = { path: join(folder, newId()), size: bytes.length }
    try {
      await ready()
      await writeFile(file.path, bytes, { mode: 0o600 })
    } catch (error) {
      await rm(file.path, { force: true })
      throw isDiskFull(error) ? diskFull(error) : error
    }
    return file
  }

  return {
    get: (key, make) => cache.get(sha256(key), async () => write(await make())),
  }
}
