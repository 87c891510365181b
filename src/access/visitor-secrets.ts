// The secrets that open a space to visitors: the keys of share links, and the keys that sign visitors' tokens.
// Neither is stored. Each is derived from the installation's signing key, its purpose and its row id, so a copy of
// those rows opens nothing, and an administrator can still be shown the secret again.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { ID_LENGTH } from '../base/ids.ts'

/** A share link's key names the link: the link's id comes first. */
export const toShareKey = (signingKey: KeyObject, linkId: string): string =>
  linkId + make(signingKey, 'share-link', linkId)

/** The id of the share link that a key belongs to; undefined if this installation did not make the key. */
export function readShareKey(signingKey: KeyObject, key: string): string | undefined {
  const linkId = key.slice(0, ID_LENGTH)
  return isEqual(key, toShareKey(signingKey, linkId)) ? linkId : undefined
}

/** The HS256 secret is the bytes of these characters, as libraries expect. */
export const toVisitorKey = (signingKey: KeyObject, keyId: string): string =>
  make(signingKey, 'visitor-key', keyId)

/** 256 bits as 43 base64url characters. */
const make = (signingKey: KeyObject, kind: 'share-link' | 'visitor-key', id: string): string =>
  createHmac('sha256', signingKey).update(`${kind}\0${id}`).digest('base64url')

/** In constant time. */
function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
