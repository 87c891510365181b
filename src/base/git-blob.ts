// The ids of blobs in git.
import { createHash } from 'node:crypto'

/** Git's id for a file with these bytes. */
export const gitBlobOid = (bytes: Uint8Array): string => gitBlobHash(bytes.length).update(bytes).digest('hex')

/** The same for bytes that arrive in pieces: update it with all of them, then take the hex digest. */
export const gitBlobHash = (size: number) => createHash('sha1').update(`blob ${size}\0`)
