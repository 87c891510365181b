// An authenticator of passkeys made of software (https://www.w3.org/TR/webauthn-3/): it signs with P-256 whatever it is
// told to, so that a test can tell it to sign what no honest one does.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export type Told = {
  readonly origin: string
  readonly rpId: string
  readonly challenge: string
  /** Of `clientDataJSON`; of the operation by default. */
  readonly type?: string
  readonly isVerified?: boolean
  readonly signatures?: number
}

export class Authenticator {
  readonly id = randomBytes(16)
  readonly #key: KeyObject
  readonly #publicKey: KeyObject
  userHandle: string | undefined

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = privateKey
    this.#publicKey = publicKey
  }

  /** What the form sends for a new passkey. */
  register(told: Told): Record<string, unknown> {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    // COSE (RFC 9053 §7.1.1): {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
    const length = Buffer.from([0, this.id.length])
    const data = Buffer.concat([dataOf(told, 0x40), Buffer.alloc(16), length, this.id, key])
    const size = Buffer.alloc(2)
    size.writeUInt16BE(data.length)
    const object = [Buffer.from('\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59', 'latin1'), size, data]
    return {
      id: this.id.toString('base64url'),
      clientDataJSON: clientOf(told, 'webauthn.create').toString('base64url'),
      attestationObject: Buffer.concat(object).toString('base64url'),
      transports: ['internal'],
    }
  }

  /** What the form sends to sign in. */
  answer(told: Told): Record<string, unknown> {
    const client = clientOf(told, 'webauthn.get')
    const data = dataOf(told, 0)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return {
      id: this.id.toString('base64url'),
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#key).toString('base64url'),
      ...(this.userHandle === undefined ? {} : { userHandle: this.userHandle }),
    }
  }
}

const clientOf = ({ type, challenge, origin }: Told, operation: string): Buffer =>
  Buffer.from(JSON.stringify({ type: type ?? operation, challenge, origin, crossOrigin: false }))

/** Flags (§6.1): 1 the person is present, 4 verified. */
function dataOf({ rpId, isVerified = true, signatures = 0 }: Told, flags: number): Buffer {
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(signatures)
  const hash = createHash('sha256').update(rpId).digest()
  return Buffer.concat([hash, Buffer.from([flags | 1 | (isVerified ? 4 : 0)]), counter])
}
