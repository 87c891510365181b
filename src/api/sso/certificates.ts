// The certificates of an identity provider as an administrator pastes them: one or several PEM blocks, or the bare
// base64 of its metadata. Only their keys count: they are trusted explicitly, so neither their dates nor their issuer
// matter (SAML V2.0 Metadata Interoperability Profile, §2.6.1).
import { X509Certificate } from 'node:crypto'
import { invalid } from '../../base/errors.ts'

/** Two while a key is rotated. A signature that does not verify is tried with each of them. */
export const CERTIFICATES_MAX = 3
const RSA_BITS_MIN = 2048

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \1-----/g
const BARE = /^[A-Za-z0-9+/=\s]+$/

/**
 * The certificates as PEM, one after the other; '' for a blank text. Throws `invalid` naming the field and the
 * certificate that is wrong.
 */
export function readCertificates(field: string, text: string): string {
  if (text.trim() === '') return ''
  const blocks = toBlocks(field, text.trim())
  if (blocks.length > CERTIFICATES_MAX)
    throw refuse(field, `send at most ${CERTIFICATES_MAX} certificates; these are ${blocks.length}.`)
  const pems = blocks.map((block, index) => {
    const name = blocks.length === 1 ? 'this' : `certificate ${index + 1}`
    return toPem(field, name, block)
  })
  return [...new Set(pems)].join('\n')
}

/** The certificates of `readCertificates`, one by one. */
export const splitCertificates = (pems: string): string[] =>
  [...pems.matchAll(BLOCK)].map(([block]) => `${block}\n`)

function toBlocks(field: string, text: string): string[] {
  if (!text.includes('-----')) {
    if (!BARE.test(text)) throw refuse(field, 'paste it as PEM (-----BEGIN CERTIFICATE-----) or as base64.')
    return [text]
  }
  const blocks = [...text.matchAll(BLOCK)]
  const [, kind] = blocks.find(([, name]) => name !== 'CERTIFICATE') ?? []
  if (kind?.includes('PRIVATE KEY'))
    throw refuse(field, 'this is a private key. Keep it secret, and paste the certificate.')
  if (kind !== undefined) throw refuse(field, `a certificate is needed, and this is a ${kind}.`)
  if (blocks.length === 0) throw refuse(field, 'a line -----END CERTIFICATE----- has to close it.')
  return blocks.map(([, , base64 = '']) => base64)
}

function toPem(field: string, name: string, base64: string): string {
  const compact = base64.replaceAll(/\s/g, '')
  const certificate = parse(compact)
  if (certificate === undefined) throw refuse(field, `${name} is not an X.509 certificate.`)
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
  if (asymmetricKeyType !== 'rsa')
    throw refuse(field, `${name} has a key of type ${asymmetricKeyType}; only RSA is supported.`)
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < RSA_BITS_MIN)
    throw refuse(field, `${name} has a key of ${bits} bits; at least ${RSA_BITS_MIN} are required.`)
  return certificate.toString().trim()
}

function parse(base64: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'))
    // Reads the key, so that a bad one fails here and not at a sign-in.
    return certificate.publicKey === undefined ? undefined : certificate
  } catch {
    return undefined
  }
}

const refuse = (field: string, why: string) => invalid('certificate_invalid', `${field}: ${why}`)
