// Which store an operator chose for blobs.
import { join } from 'node:path'
import { openDiskBlobs } from './disk.ts'
import { openS3Blobs, type S3Settings } from './s3.ts'
import type { BlobStore } from './store.ts'

/**
 * The bucket of `s3` when there is one, else `folder`, which is made when it is not there. A bucket needs the folder
 * too, for what is on its way there. One process uses the folder.
 */
export const openBlobStore = ({ s3 }: { readonly s3?: S3Settings }, folder: string): Promise<BlobStore> =>
  s3 === undefined ? openDiskBlobs(folder) : openS3Blobs(s3, join(folder, 'uploads'))
