// Archives submitted for import: written to a file, which is removed when the import ends. No row names them, because
// an interrupted import is sent again.
import { unavailable } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import type { UploadBody } from '../../http/operation.ts'
import { asStoreFailure, blobTooLarge } from '../../platform/blobs/store.ts'
import { createUploadPlaces } from '../edits/request/upload-places.ts'

/** In the whole process, and per person: each takes up to the size of an import on the server's disk. */
const ARCHIVES_MAX = 8
const ARCHIVES_OF_ONE_MAX = 2

const places = createUploadPlaces(ARCHIVES_MAX, ARCHIVES_OF_ONE_MAX)

export type SentArchive = {
  readonly path: string
  /** Removes the file and frees its place; to be called once. */
  discard(): Promise<void>
}

/** @throws Failure too_large `blob_too_large`; unavailable `archives_busy`, `client_left`; storage_full `disk_full`. */
export async function receiveArchive(
  { archives, config }: Pick<Services, 'archives' | 'config'>,
  userId: string,
  { bytes, size }: UploadBody,
): Promise<SentArchive> {
  const bytesMax = config.repositoryBytesMax
  if (size !== undefined && size > bytesMax) throw blobTooLarge(bytesMax)
  if (!places.take(userId))
    throw unavailable(
      'archives_busy',
      `At most ${ARCHIVES_OF_ONE_MAX} archives of one person and ${ARCHIVES_MAX} of all are imported at once. Send it again when some of them are done.`,
    )
  try {
    const { path, discard } = await archives.fill(bytes, { bytesMax })
    return {
      path,
      discard: async () => {
        places.giveBack(userId)
        await discard()
      },
    }
  } catch (reason) {
    places.giveBack(userId)
    throw asStoreFailure(reason)
  }
}
