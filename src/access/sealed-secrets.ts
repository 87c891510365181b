// Encrypts secrets at rest, so that a copy of the database reveals none.

import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject } from 'node:crypto'
import { newSecret } from '../base/ids.ts'
import type { SigningKeys } from '../platform/keys/signing-keys.ts'

const CIPHER = 'aes-256-gcm'
const SALT_BYTES = 32
const TAG_BYTES = 16
// Each sealed value has its own key, so the nonce can be constant.
const NONCE = Buffer.alloc(12)

const keyOf = (signingKey: KeyObject, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', signingKey, salt, 'octavo secrets of integrations', 32))

/** salt | tag | ciphertext */
export function sealSecrets(signingKey: SigningKeys, secrets: Readonly<Record<string, string>>): Buffer {
  const salt = Buffer.from(newSecret(), 'base64url').subarray(0, SALT_BYTES)
  const cipher = createCipheriv(CIPHER, keyOf(signingKey.current, salt), NONCE)
  const text = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()])
  return Buffer.concat([salt, cipher.getAuthTag(), text])
}

/** @throws when the key is another one, or the bytes were changed. */
export function openSecrets(signingKey: SigningKeys, sealed: Buffer): Record<string, string> {
  for (const key of signingKey.accepted.slice(1)) {
    const opened = tryToOpen(key, sealed)
    if (opened !== undefined) return opened
  }
  return open(signingKey.current, sealed)
}

/** Which key sealed it is not written down. */
function tryToOpen(key: KeyObject, sealed: Buffer): Record<string, string> | undefined {
  try {
    return open(key, sealed)
  } catch {
    return undefined
  }
}

/** The same secrets, sealed by the key that signs now. */
export const resealSecrets = (signingKey: SigningKeys, sealed: Buffer): Buffer =>
  sealSecrets(signingKey, openSecrets(signingKey, sealed))

function open(key: KeyObject, sealed: Buffer): Record<string, string> {
  const salt = sealed.subarray(0, SALT_BYTES)
  const decipher = createDecipheriv(CIPHER, keyOf(key, salt), NONCE)
  decipher.setAuthTag(sealed.subarray(SALT_BYTES, SALT_BYTES + TAG_BYTES))
  const text = Buffer.concat([decipher.update(sealed.subarray(SALT_BYTES + TAG_BYTES)), decipher.final()])
  return JSON.parse(text.toString('utf8'))
}
