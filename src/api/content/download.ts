// Addresses of files. Everybody who has one may read the file, without a token; it cannot be guessed, because
// it is signed over all that it says. The bytes under an address never change.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Hash } from '../../engines/content/records.ts'
import { encodePath, type Urls } from '../../http/urls.ts'

export type FileAddress = { readonly blob: Hash; readonly name: string; readonly contentType: string }

const SIGNATURE_BYTES = 16

/** `https://docs.example/files/<sha256>/<signature>/<name>?type=image/png` */
export function toDownloadUrl(urls: Urls, signingKey: KeyObject, file: FileAddress): string {
  const signature = sign(signingKey, file).toString('base64url')
  const type = encodeURIComponent(file.contentType).replaceAll('%2F', '/')
  return urls.root(
    `/files/${file.blob}/${signature}/${encodePath(file.name.replaceAll('/', '_'))}?type=${type}`,
  )
}

export function isSigned(signingKey: KeyObject, file: FileAddress, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url')
  return given.length === SIGNATURE_BYTES && timingSafeEqual(given, sign(signingKey, file))
}

const sign = (signingKey: KeyObject, { blob, name, contentType }: FileAddress): Buffer =>
  createHmac('sha256', signingKey)
    .update(`file\0${blob}\0${name.replaceAll('/', '_')}\0${contentType}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
