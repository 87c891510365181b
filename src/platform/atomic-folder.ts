// Writes a folder on this machine as a whole or not at all.
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { invalid } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { toWriteFailure } from './disk-space.ts'
import { ifMissing } from './missing-files.ts'

/**
 * Makes `folder`, an absolute path that does not exist or is an empty folder. `write` fills a folder beside it, which
 * is renamed when complete, and removed on failure.
 *
 * @throws Failure invalid `folder_not_empty`, `folder_refused`; storage_full; and what `write` throws.
 */
export async function writeFolder<T>(folder: string, write: (unfinished: string) => Promise<T>): Promise<T> {
  const unfinished = `${folder}.unfinished-${newId()}`
  try {
    await requireEmptyFolder(folder)
    await mkdir(unfinished)
    const result = await write(unfinished)
    await rmdir(folder).catch(ifMissing)
    await rename(unfinished, folder)
    return result
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw toWriteFailure(error, 'folder_refused', folder)
  }
}

async function requireEmptyFolder(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(ifMissing)) ?? []
  if (names.length > 0)
    throw invalid('folder_not_empty', `${folder} is not empty. Choose a folder that does not exist yet.`)
}
