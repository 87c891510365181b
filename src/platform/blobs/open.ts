// Opens the blob store that the operator chose.
import { join } from 'node:path'
import { openDiskBlobs } from './disk.ts'
import type { S3Settings } from './s3.ts'
import type { BeforePut, BlobStore } from './store.ts'

/**
 * The bucket of `s3` if there is one, else `folder`, which is made if missing. A bucket needs the folder too, for
 * blobs on their way. One process uses the folder.
 */
export async function openBlobStore(
  { s3 }: { readonly s3?: S3Settings },
  folder: string,
  beforePut?: BeforePut,
): Promise<BlobStore> {
  if (s3 === undefined) return openDiskBlobs(folder, beforePut)
  const { openS3Blobs } = await import('./s3.ts')
  return openS3Blobs(s3, join(folder, 'uploads'), beforePut && { beforePut })
}
