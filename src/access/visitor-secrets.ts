// The secrets that open a space to visitors: the keys of share links, and the keys that sign visitors' tokens.
// Neither is stored. Each is derived from the installation's signing key, its purpose and its row id, so a copy of
// those rows opens nothing, and an administrator can still be shown the secret again.

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { ID_LENGTH } from '../base/ids.ts'
import type { SigningKeys } from '../platform/keys/signing-keys.ts'

/** A share link's key names the link: the link's id comes first. */
export const toShareKey = (signingKey: SigningKeys, linkId: string): string =>
  linkId + make(signingKey.current, 'share-link', linkId)

/** The id of the share link that a key belongs to; undefined if this installation did not make the key. */
export function readShareKey(signingKey: SigningKeys, key: string): string | undefined {
  const linkId = key.slice(0, ID_LENGTH)
  return signingKey.accepted.some(one => isEqual(key, linkId + make(one, 'share-link', linkId)))
    ? linkId
    : undefined
}

/** The HS256 secret is the bytes of these characters, as libraries expect. */
export const toVisitorKey = (signingKey: SigningKeys, keyId: string): string =>
  make(signingKey.current, 'visitor-key', keyId)

/** All that verify a token: the server that signs it may have been given the key before a rotation. */
export const listVisitorKeys = (signingKey: SigningKeys, keyId: string): string[] =>
  signingKey.accepted.map(one => make(one, 'visitor-key', keyId))

/** 256 bits as 43 base64url characters. */
const make = (signingKey: KeyObject, kind: 'share-link' | 'visitor-key', id: string): string =>
  createHmac('sha256', signingKey).update(`${kind}\0${id}`).digest('base64url')

/** In constant time. */
function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
