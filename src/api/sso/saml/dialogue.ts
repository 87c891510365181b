// The messages of Octavo to an identity provider: signed authentication requests, and metadata.
import { library, type Parties, samlOf } from '../../../engines/saml/library.ts'
import { splitCertificates } from '../certificates.ts'
import type { ProviderRow } from '../rows.ts'
import type { SAMLProvider } from '../schema.ts'
import type { ServiceKeys } from './service-keys.ts'
import type { SigningKey } from './signing-key.ts'

type Service = SAMLProvider['service']

export const partiesOf = (provider: ProviderRow, service: Service): Parties => ({
  service,
  provider: {
    entityID: provider.entity_id,
    ssoURL: provider.sso_url,
    certificates: splitCertificates(provider.certificate),
  },
})

/** The address that carries the request, for a redirect. `isForced`: the person is asked, also if they are known. */
export async function writeRequest(
  provider: ProviderRow,
  service: Service,
  requestId: string,
  key: SigningKey,
  isForced = false,
): Promise<string> {
  const saml = await samlOf(partiesOf(provider, service), requestId, key, isForced)
  return saml.getAuthorizeUrlAsync(requestId, undefined, {})
}

export async function writeMetadata(
  service: Service,
  { signing, certificates }: ServiceKeys,
): Promise<string> {
  const { generateServiceProviderMetadata } = await library()
  return generateServiceProviderMetadata({
    issuer: service.entityID,
    callbackUrl: service.acsURL,
    wantAssertionsSigned: true,
    identifierFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    privateKey: signing.privateKey,
    publicCerts: [...certificates],
    signatureAlgorithm: 'sha256',
    // Keeps the document the same each time.
    generateUniqueId: () => `_${service.entityID.split('/').at(-2)}`,
  })
}
