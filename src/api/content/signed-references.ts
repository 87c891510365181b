// References that are signed, so that they cannot be guessed: ids of documents and addresses of files.

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Hash } from '../../engines/content/records.ts'
import { encodePath, type Urls } from '../../http/urls.ts'
import type { SigningKeys } from '../../platform/keys/signing-keys.ts'

// A document's hash is the same in every space that has it; its id is that hash with a signature over the space, so
// that an id made for one space opens nothing in another.
const HASH_BYTES = 32
const DOCUMENT_SIGNATURE_BYTES = 12

/** 59 base64url characters; the same document of a space has the same id until the key is rotated. */
export const encodeDocumentId = (signingKey: SigningKeys, spaceId: string, hash: Hash): string =>
  Buffer.concat([Buffer.from(hash, 'hex'), signDocument(signingKey.current, spaceId, hash)]).toString(
    'base64url',
  )

/** The hash, or undefined if the id was not signed for this space. */
export function decodeDocumentId(signingKey: SigningKeys, spaceId: string, id: string): Hash | undefined {
  const bytes = Buffer.from(id, 'base64url')
  if (bytes.length !== HASH_BYTES + DOCUMENT_SIGNATURE_BYTES) return undefined
  const hash = bytes.subarray(0, HASH_BYTES).toString('hex')
  const given = bytes.subarray(HASH_BYTES)
  return signingKey.accepted.some(key => timingSafeEqual(given, signDocument(key, spaceId, hash)))
    ? hash
    : undefined
}

const signDocument = (signingKey: KeyObject, spaceId: string, hash: Hash): Buffer =>
  createHmac('sha256', signingKey)
    .update(`document\0${spaceId}\0${hash}`)
    .digest()
    .subarray(0, DOCUMENT_SIGNATURE_BYTES)

/**
 * What the address of a file contains and its signature covers. The address is readable without a token, and its bytes
 * never change.
 */
export type FileAddress = { readonly blob: Hash; readonly name: string; readonly contentType: string }

const FILE_SIGNATURE_BYTES = 16

/** `https://docs.example/files/<sha256>/<signature>/<name>?type=image/png` */
export function toDownloadUrl(urls: Urls, signingKey: SigningKeys, file: FileAddress): string {
  const signature = signFile(signingKey.current, file).toString('base64url')
  const type = encodeURIComponent(file.contentType).replaceAll('%2F', '/')
  return urls.root(
    `/files/${file.blob}/${signature}/${encodePath(file.name.replaceAll('/', '_'))}?type=${type}`,
  )
}

export function isSigned(signingKey: SigningKeys, file: FileAddress, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url')
  return (
    given.length === FILE_SIGNATURE_BYTES &&
    signingKey.accepted.some(key => timingSafeEqual(given, signFile(key, file)))
  )
}

const signFile = (signingKey: KeyObject, { blob, name, contentType }: FileAddress): Buffer =>
  createHmac('sha256', signingKey)
    .update(`file\0${blob}\0${name.replaceAll('/', '_')}\0${contentType}`)
    .digest()
    .subarray(0, FILE_SIGNATURE_BYTES)
