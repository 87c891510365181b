// `octavo export`: a space becomes a folder on this machine.
import { exportFolder } from '../api/git-remote/export-folder.ts'
import { getUndeletedSpace } from '../api/spaces/rows.ts'
import type { Services } from '../http/context.ts'
import type { CommandContext } from './command-context.ts'

/** `folder` is an absolute path. */
export type ExportOptions = { readonly space: string; readonly folder: string }

export type ExportResult = {
  readonly files: number
  /** What was noticed without stopping the export, each with its file. */
  readonly problems: readonly string[]
}

export async function exportSpace(
  services: Services,
  { space: id, folder }: ExportOptions,
  { emit, signal }: CommandContext,
): Promise<ExportResult> {
  const space = await getUndeletedSpace(services.db, id)
  const onProgress = (done: number, total: number) => emit({ stage: 'writing', done, total })
  const { files, problems } = await exportFolder(services, space, folder, { onProgress, signal })
  return {
    files,
    problems: problems.map(({ file, message }) => (file === undefined ? message : `${file}: ${message}`)),
  }
}
