// The id of a document on the wire. A document is named by its hash, which is the same in every space that has it; an
// id is that hash with a signature over the space, so that an id made for one space opens nothing in another.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Hash } from '../../engines/content/records.ts'

const HASH_BYTES = 32
const SIGNATURE_BYTES = 12

/** 59 base64url characters; the same document of a space always has the same id. */
export const encodeDocumentId = (signingKey: KeyObject, spaceId: string, hash: Hash): string =>
  Buffer.concat([Buffer.from(hash, 'hex'), sign(signingKey, spaceId, hash)]).toString('base64url')

/** The hash, or undefined for an id that was not made here for this space. */
export function decodeDocumentId(signingKey: KeyObject, spaceId: string, id: string): Hash | undefined {
  const bytes = Buffer.from(id, 'base64url')
  if (bytes.length !== HASH_BYTES + SIGNATURE_BYTES) return undefined
  const hash = bytes.subarray(0, HASH_BYTES).toString('hex')
  return timingSafeEqual(bytes.subarray(HASH_BYTES), sign(signingKey, spaceId, hash)) ? hash : undefined
}

const sign = (signingKey: KeyObject, spaceId: string, hash: Hash): Buffer =>
  createHmac('sha256', signingKey)
    .update(`document\0${spaceId}\0${hash}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
