// Compresses the documents of specifications (RFC 1951) off the event loop. The database's own compression would block
// it for a second at 13 MB.
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

const compress = promisify(deflateRaw)
const decompress = promisify(inflateRaw)

// No specification is larger: a row that says otherwise is damaged.
const BYTES_MAX = 256 * 1024 * 1024

export const deflate = (body: string | Uint8Array): Promise<Buffer> => compress(body)

/** `isDeflated`: false for bodies written by an earlier version of Octavo. */
export async function inflate(body: Buffer, isDeflated: boolean): Promise<Buffer> {
  return isDeflated ? decompress(body, { maxOutputLength: BYTES_MAX }) : body
}
