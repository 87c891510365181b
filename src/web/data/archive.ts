// Folders and archives of this device, as they are sent to be imported.
import type { Progress } from './pack-folder.ts'
import { putBytes } from './put-bytes.ts'
import { sendAgain } from './send-again.ts'

/** What is sent: an archive as it is, or the files of a folder. */
export type Chosen = {
  readonly name: string
  readonly files: readonly File[]
  readonly isArchive: boolean
  /** Of this choice: what is chosen again is another one. */
  readonly key: string
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

type ArchiveProgress = {
  readonly onProgress: (progress: Progress) => void
  readonly onBroken: () => void
  readonly signal: AbortSignal
}

/** Answers the id of the operation that imports it. With the same `key` it is imported once, whatever answers are lost. */
export async function sendArchive(
  spaceId: string,
  archive: Blob,
  key: string,
  { onProgress, signal, onBroken }: ArchiveProgress,
): Promise<string> {
  const path = `/spaces/${encodeURIComponent(spaceId)}/git/archive`
  const sending = { body: archive, contentType: 'application/zip', onProgress, signal, key }
  const location = await sendAgain(() => putBytes(path, sending), { signal, onBroken })
  return location.split('/').at(-1) ?? ''
}
