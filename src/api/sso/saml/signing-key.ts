// A key that Octavo signs its requests to identity providers with. Metadata carries keys in certificates, so it has a
// self-signed one (RFC 5280 §4.1).
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { now } from '../../../base/clock.ts'
import { newSecret } from '../../../base/ids.ts'

export type SigningKey = { readonly privateKey: string; readonly certificate: string }

const RSA_BITS = 2048
const YEARS = 30

export function makeSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BITS })
  return {
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificate: selfSign(publicKey, privateKey, 'Octavo'),
  }
}

function selfSign(publicKey: KeyObject, privateKey: KeyObject, commonName: string): string {
  const from = now()
  const until = new Date(from)
  until.setUTCFullYear(until.getUTCFullYear() + YEARS)
  const name = sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from(commonName)))))
  // A positive number: its first bit is not set (RFC 5280 §4.1.2.2).
  const serial = Buffer.from(newSecret(), 'base64url').subarray(0, 16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, serial),
    SHA256_WITH_RSA,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]))
  const der = sequence(body, SHA256_WITH_RSA, signature)
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** DER (X.690 §8.1): a tag, the length, the value. */
function tagged(tag: number, ...values: readonly Buffer[]): Buffer {
  const value = Buffer.concat(values)
  if (value.length < 0x80) return Buffer.concat([Buffer.from([tag, value.length]), value])
  const digits = value.length.toString(16)
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, value])
}

const sequence = (...values: readonly Buffer[]): Buffer => tagged(0x30, ...values)

/** UTCTime until 2049 and GeneralizedTime from then on (RFC 5280 §4.1.2.5). */
function time(date: Date): Buffer {
  const digits = `${date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`
  return date.getUTCFullYear() < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2)))
    : tagged(0x18, Buffer.from(digits))
}

// 2.5.4.3
const COMMON_NAME = Buffer.from('0603550403', 'hex')
// 1.2.840.113549.1.1.11, with its absent parameters
const SHA256_WITH_RSA = Buffer.from('300d06092a864886f70d01010b0500', 'hex')
