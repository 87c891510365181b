// Files that are put into a content, as they are.
import type { Model } from './client.ts'
import { changeContent, type DraftPlace } from './content-changes.ts'
import { putBytes } from './put-bytes.ts'
import { sendAgain } from './send-again.ts'

type Progress = {
  /** The same for what is sent again: it is put there once. */
  readonly key: string
  /** From 0 to 1. */
  readonly onProgress: (part: number) => void
  /** The network broke off, and it is sent again from its beginning in a moment. */
  readonly onBroken?: () => void
  readonly signal: AbortSignal
}

/** Puts a file into a content. Throws an ApiError, also where no answer came even at the last try. */
export async function sendFile(
  place: DraftPlace,
  file: File,
  progress: Progress,
): Promise<Model<'RevisionFile'>> {
  const upload = await sendBytes(place, file, progress)
  const { insertedFiles } = await sendAgain(
    () =>
      changeContent(
        place,
        [{ operation: 'insert_files', files: [{ name: file.name, upload }] }],
        progress.key,
      ),
    progress,
  )
  const [inserted] = insertedFiles
  if (inserted === undefined) throw new Error('the answer names no new file')
  return inserted
}

/**
 * Puts a file in the place of another. It has the name of that one, with the ending of what replaces it: texts follow
 * that. Throws an ApiError, also where no answer came even at the last try.
 */
export async function replaceFile(
  place: DraftPlace,
  { id, name }: Pick<Model<'RevisionFile'>, 'id' | 'name'>,
  file: File,
  progress: Progress,
): Promise<void> {
  const upload = await sendBytes(place, file, progress)
  const [before, after] = [endingOf(name), endingOf(file.name)]
  const isOther = after !== '' && before.toLowerCase() !== after.toLowerCase()
  const renamed = isOther ? { name: name.slice(0, name.length - before.length) + after } : {}
  await sendAgain(
    () => changeContent(place, [{ operation: 'update_file', file: id, upload, ...renamed }], progress.key),
    progress,
  )
}

/** With its dot. */
const endingOf = (name: string): string => /\.[^.\s]{1,20}$/.exec(name)?.[0] ?? ''

/** Answers the name that they are waiting under. */
async function sendBytes(
  place: DraftPlace,
  file: File,
  { key, onProgress, onBroken, signal }: Progress,
): Promise<string> {
  const sending = {
    body: file,
    contentType: file.type || 'application/octet-stream',
    onProgress: ({ done, total }: { readonly done: number; readonly total: number }) =>
      onProgress(total === 0 ? 1 : done / total),
    signal,
  }
  await sendAgain(() => putBytes(`/spaces/${place.spaceId}/uploads/${key}`, sending), { signal, onBroken })
  return key
}
