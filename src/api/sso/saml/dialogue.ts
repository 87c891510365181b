// What Octavo says to an identity provider: the request that a browser carries there, signed, and its metadata.
import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { now } from '../../../base/clock.ts'
import type { ProviderRow } from '../rows.ts'
import type { SAMLProvider } from '../schema.ts'
import { splitCertificates } from './certificates.ts'
import type { SigningKey } from './signing-key.ts'

/** Between two clocks that are both kept right. */
export const CLOCK_SKEW_MS = 60_000
/** From when an assertion was made until it is used: a redirect, on a slow line. */
export const ASSERTION_AGE_MS = 5 * 60_000

type Service = SAMLProvider['service']

/**
 * The library, told to believe nothing it was not asked to. `requestId` is the one request that it asks, or that an
 * answer may answer.
 */
export const samlOf = (provider: ProviderRow, service: Service, requestId: string, key?: SigningKey): SAML =>
  new SAML({
    issuer: service.entityID,
    audience: service.entityID,
    callbackUrl: service.acsURL,
    entryPoint: provider.sso_url,
    idpIssuer: provider.entity_id,
    idpCert: splitCertificates(provider.certificate),
    wantAssertionsSigned: true,
    // the signature that counts is that of the assertion; providers that sign the rest as well may
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: onlyRequest(requestId),
    generateUniqueId: () => requestId,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    maxAssertionAgeMs: ASSERTION_AGE_MS,
    // it knows best what to call its people and how they prove who they are
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    ...(key === undefined ? {} : { privateKey: key.privateKey, publicCert: key.certificate }),
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
  })

/** Requests are rows, looked up before the library is asked: it knows of one, and forgets nothing. */
const onlyRequest = (requestId: string) => ({
  saveAsync: async () => null,
  getAsync: async (id: string) => (id === requestId ? now().toISOString() : null),
  removeAsync: async (id: string | null) => id,
})

/** Where the browser takes the request. */
export const writeRequest = (
  provider: ProviderRow,
  service: Service,
  requestId: string,
  key: SigningKey,
): Promise<string> => samlOf(provider, service, requestId, key).getAuthorizeUrlAsync(requestId, undefined, {})

export const writeMetadata = (service: Service, key: SigningKey): string =>
  generateServiceProviderMetadata({
    issuer: service.entityID,
    callbackUrl: service.acsURL,
    wantAssertionsSigned: true,
    identifierFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    privateKey: key.privateKey,
    publicCerts: key.certificate,
    signatureAlgorithm: 'sha256',
    // the same document each time it is read
    generateUniqueId: () => `_${service.entityID.split('/').at(-2)}`,
  })
