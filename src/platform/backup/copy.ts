// Where an embedded database is copied to, so that a backup reads the copy while the original is in use.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db/database.ts'
import { openCopy } from '../db/embedded.ts'
import { embeddedDatabase } from '../db/open.ts'
import type { Log } from '../log.ts'

const copyIn = (home: string): string => join(home, 'database-copy')

/** Removes a copy left by a process that was killed during a backup. */
export const removeCopy = (home: string): Promise<void> => rm(copyIn(home), { recursive: true, force: true })

/** Runs `read` on a copy made by `copyTo`, below the folder `home`. */
export async function withCopy<T>(
  home: string,
  copyTo: NonNullable<Database['copyTo']>,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
  read: (copy: Database) => Promise<T>,
): Promise<T> {
  await removeCopy(home)
  try {
    await copyTo(copyIn(home), signal)
    const copy = embeddedDatabase(await openCopy(copyIn(home)), log)
    try {
      return await read(copy)
    } finally {
      await copy.close()
    }
  } finally {
    await removeCopy(home)
  }
}
