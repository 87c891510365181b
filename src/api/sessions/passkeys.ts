// Passkeys (Web Authentication, https://www.w3.org/TR/webauthn-3/): making one, and checking what one has signed. Who
// made an authenticator does not matter here, so its attestation is neither asked for nor read.

import type { WebAuthnCredential } from '@simplewebauthn/server'
import { isObject } from '../../base/objects.ts'
import type { SigningKeys } from '../../platform/keys/signing-keys.ts'
import { type ChallengeFor, isChallengeFor, newChallenge } from './challenges.ts'
import type { NewPasskey, PasskeyRow } from './passkey-rows.ts'

/** Whom passkeys are made for: a domain, and the origin of its pages. */
export type RelyingParty = { readonly id: string; readonly origin: string }

// EdDSA, ES256, RS256: what authenticators have. Signatures of other algorithms would not fit into a form.
const ALGORITHMS = [-8, -7, -257]
const TRANSPORTS: ReadonlySet<string> = new Set([
  'ble',
  'cable',
  'hybrid',
  'internal',
  'nfc',
  'smart-card',
  'usb',
])
const TIMEOUT_MS = 120_000

// Loaded on demand: it takes as long to load as many other modules together, and few requests need it.
const library = () => import('@simplewebauthn/server')

/** What a browser makes a passkey from, as JSON. `known`: those that the person has already. */
export async function registrationOptions(
  signingKey: SigningKeys,
  of: ChallengeFor,
  relyingParty: RelyingParty,
  person: { readonly id: string; readonly email: string; readonly name: string },
  known: readonly PasskeyRow[],
): Promise<object> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Octavo',
    rpID: relyingParty.id,
    userID: Uint8Array.from(Buffer.from(person.id)),
    userName: person.email,
    userDisplayName: person.name,
    challenge: newChallenge(signingKey, of),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** What a browser asks an authenticator to sign, as JSON. `known`: null: the person chooses one of theirs. */
export async function authenticationOptions(
  signingKey: SigningKeys,
  of: ChallengeFor,
  relyingParty: RelyingParty,
  known: readonly PasskeyRow[] | null,
): Promise<object> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: relyingParty.id,
    challenge: newChallenge(signingKey, of),
    timeout: TIMEOUT_MS,
    userVerification: known === null ? 'required' : 'preferred',
    ...(known === null ? {} : { allowCredentials: known.map(toDescriptor) }),
  })
}

const toDescriptor = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id.toString('base64url'),
  transports,
})

/** An answer whose challenge was made for its purpose and browser. What it signs is not checked yet. */
export type PasskeyAnswer = {
  readonly id: string
  readonly challenge: string
  /** Of those that the answer is made of, as base64url. */
  readonly parts: Readonly<Record<string, string>>
  readonly transports: readonly string[]
}

/** Reads an answer as a form sends it; undefined if it is none, or answers another challenge than one of these. */
export function readAnswer(
  signingKey: SigningKeys,
  of: ChallengeFor,
  text: string,
): PasskeyAnswer | undefined {
  const answer = parseObject(text)
  const id = answer?.id
  if (answer === undefined || typeof id !== 'string' || !BASE64URL.test(id)) return undefined
  const parts = Object.fromEntries(
    Object.entries(answer).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && BASE64URL.test(entry[1]),
    ),
  )
  const client = parseObject(Buffer.from(parts.clientDataJSON ?? '', 'base64url').toString('utf8'))
  if (typeof client?.challenge !== 'string') return undefined
  const challenge = Buffer.from(client.challenge, 'base64url').toString('utf8')
  if (!isChallengeFor(signingKey, of, challenge)) return undefined
  const transports = Array.isArray(answer.transports) ? answer.transports : []
  return { id, challenge, parts, transports: transports.filter(one => TRANSPORTS.has(one)) }
}

const BASE64URL = /^[\w-]+$/

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The passkey that an answer tells of; undefined if it is not one for this server. */
export async function verifyRegistration(
  { id, challenge, parts, transports }: PasskeyAnswer,
  { id: rpId, origin }: RelyingParty,
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await library()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: {
          clientDataJSON: parts.clientDataJSON ?? '',
          attestationObject: await withoutAttestation(parts.attestationObject ?? ''),
        },
      },
      expectedChallenge: toSigned(challenge),
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return undefined
    const { credential } = registrationInfo
    return {
      credential_id: Buffer.from(credential.id, 'base64url'),
      public_key: Buffer.from(credential.publicKey),
      signatures: credential.counter,
      transports: [...transports],
    }
  } catch {
    // The library throws for every answer that it does not accept.
    return undefined
  }
}

/**
 * The same with the statement `none` (§8.7). Statements of other formats name certificates, and addresses where these
 * are revoked, which would be asked.
 */
async function withoutAttestation(text: string): Promise<string> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const data = decodeAttestationObject(Uint8Array.from(Buffer.from(text, 'base64url'))).get('authData')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(data.length)
  // CBOR (RFC 8949 §3): a map of three texts to a text, an empty map and bytes with a length of two bytes.
  return Buffer.concat([
    Buffer.from('\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59', 'latin1'),
    length,
    data,
  ]).toString('base64url')
}

/**
 * How often the authenticator has signed, by its answer; undefined if the answer is not one of this passkey for this
 * server. `isAlone`: it stands for the password too, so the authenticator has to have verified its person.
 */
export async function verifyAssertion(
  { id, challenge, parts }: PasskeyAnswer,
  { id: rpId, origin }: RelyingParty,
  passkey: PasskeyRow,
  { isAlone }: { readonly isAlone: boolean },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const credential: WebAuthnCredential = {
    id: passkey.credential_id.toString('base64url'),
    publicKey: Uint8Array.from(passkey.public_key),
    counter: passkey.signatures,
  }
  if (id !== credential.id) return undefined
  // Sent where the person chose the passkey: it says whose it is (§7.2, step 6).
  const owner = parts.userHandle
  if (owner !== undefined && owner !== Buffer.from(passkey.user_id).toString('base64url')) return undefined
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: {
          clientDataJSON: parts.clientDataJSON ?? '',
          authenticatorData: parts.authenticatorData ?? '',
          signature: parts.signature ?? '',
        },
      },
      expectedChallenge: toSigned(challenge),
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential,
      requireUserVerification: isAlone,
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    // The library throws for every answer that it does not accept.
    return undefined
  }
}

/** As the browser names it in what it signs. */
const toSigned = (challenge: string): string => Buffer.from(challenge).toString('base64url')
