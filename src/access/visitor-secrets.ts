// The secrets that open a space to visitors: keys of share links, and the keys that their tokens are signed with. None
// of them is stored. Each is made from the signing key of the installation, what it is for, and the id of its row, so a
// copy of those rows opens nothing, and an administrator can still be shown it again.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { ID_LENGTH } from '../base/ids.ts'

/** Who holds the key of a share link names the link by it: its id comes first. */
export const toShareKey = (signingKey: KeyObject, linkId: string): string =>
  linkId + make(signingKey, 'share-link', linkId)

/** The id of the share link that a key belongs to; undefined when this installation did not make the key. */
export function readShareKey(signingKey: KeyObject, key: string): string | undefined {
  const linkId = key.slice(0, ID_LENGTH)
  return isEqual(key, toShareKey(signingKey, linkId)) ? linkId : undefined
}

/** The secret of HS256 is the bytes of these characters, as every library takes it. */
export const toVisitorKey = (signingKey: KeyObject, keyId: string): string =>
  make(signingKey, 'visitor-key', keyId)

/** 256 bits as 43 characters of base64url. */
const make = (signingKey: KeyObject, kind: 'share-link' | 'visitor-key', id: string): string =>
  createHmac('sha256', signingKey).update(`${kind}\0${id}`).digest('base64url')

/** In constant time. */
function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
