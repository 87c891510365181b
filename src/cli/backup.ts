// `octavo backup`: everything in one file, whether the server is running or not.
import type { Services } from '../http/context.ts'
import { type BackupResult, writeBackup } from '../platform/backup/write.ts'
import type { CommandContext } from './command-context.ts'

/** `file` is an absolute path: the server has a working directory of its own. */
export type BackupOptions = { readonly file: string }

export function makeBackup(
  { db, copyDatabase, blobs, config, log }: Services,
  { file }: BackupOptions,
  { emit, signal }: CommandContext,
): Promise<BackupResult> {
  const source = { db, copyTo: copyDatabase, blobs, home: config.home, log }
  return writeBackup(source, file, (stage, done, total) => emit({ stage, done, total }), signal)
}
