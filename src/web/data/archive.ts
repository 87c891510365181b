// Folders and archives of this device, as they are sent to be imported.
import type { Progress } from './pack-folder.ts'
import { putBytes } from './put-bytes.ts'

/** What is sent: an archive as it is, or the files of a folder. */
export type Chosen = {
  readonly name: string
  readonly files: readonly File[]
  readonly isArchive: boolean
}

/** Never documentation, and often most of a folder. */
const IGNORED = /(?:^|\/)(?:\.git|node_modules)\//

export const filesOfFolder = (files: Iterable<File>): File[] =>
  [...files].filter(file => !IGNORED.test(file.webkitRelativePath))

/** A zip archive of them with their paths. */
export async function packFolder(
  files: readonly File[],
  onProgress: (progress: Progress) => void,
): Promise<Blob> {
  const { default: pack } = await import('./pack-folder.ts')
  return pack(files, onProgress)
}

/** Answers the id of the operation that imports it. */
export async function sendArchive(
  spaceId: string,
  archive: Blob,
  { onProgress, signal }: Pick<Parameters<typeof putBytes>[1], 'onProgress' | 'signal'>,
): Promise<string> {
  const path = `/spaces/${encodeURIComponent(spaceId)}/git/archive`
  const location = await putBytes(path, { body: archive, contentType: 'application/zip', onProgress, signal })
  return location.split('/').at(-1) ?? ''
}
