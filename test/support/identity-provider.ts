// A SAML identity provider for tests: a server of its own that reads the requests of browsers, believes only those that
// are signed as Octavo's metadata say, and answers with the form that posts its response back.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import * as samlify from 'samlify'
import { makeSigningKey, type SigningKey } from '../../src/api/sso/saml/signing-key.ts'

// The schema of SAML is not what is tested here, and reading it needs a Java library.
samlify.setSchemaValidator({ validate: async () => 'not validated' })

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

const TEMPLATE = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}" InResponseTo="{InResponseTo}"><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="{StatusCode}"/></samlp:Status><saml:Assertion ID="{AssertionID}" Version="2.0" IssueInstant="{IssueInstant}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="{NameIDFormat}">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{SubjectConfirmationDataNotOnOrAfter}" Recipient="{SubjectRecipient}" InResponseTo="{InResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{ConditionsNotBefore}" NotOnOrAfter="{ConditionsNotOnOrAfter}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{AuthnInstant}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>{AttributeStatement}</saml:Assertion></samlp:Response>`

/** Who is signed in at the identity provider. */
export type Known = { readonly email: string; readonly name?: string }

export type IdentityProvider = {
  readonly entityId: string
  readonly ssoUrl: string
  readonly key: SigningKey
  /** The person of the next sign-in. */
  person: Known
  /** How long ago it asked who that is; it answers from memory, whatever it is told. */
  askedSecondsAgo: number
  /** The identity provider changes its key. */
  useKey(key: SigningKey): void
  /** Reads Octavo's metadata: from then on it takes its requests. */
  trust(metadata: string): void
}

export async function identityProvider(person: Known): Promise<IdentityProvider> {
  let key = makeSigningKey()
  let service: ReturnType<typeof samlify.ServiceProvider> | undefined
  const server = createServer((request, response) => {
    answer(request.url ?? '').then(
      html => response.setHeader('content-type', 'text/html').end(html),
      error => {
        response.statusCode = 400
        response.end(`refused: ${error}`)
      },
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const entityId = `${origin}/metadata`
  const ssoUrl = `${origin}/sso?tenant=test`

  const provider = () =>
    samlify.IdentityProvider({
      entityID: entityId,
      privateKey: key.privateKey,
      signingCert: key.certificate,
      isAssertionEncrypted: false,
      wantAuthnRequestsSigned: true,
      requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      nameIDFormat: [EMAIL_FORMAT],
      singleLogoutService: [
        { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: `${origin}/logout` },
      ],
      singleSignOnService: [
        { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: ssoUrl },
      ],
      loginResponseTemplate: {
        context: TEMPLATE,
        attributes: [
          {
            name: 'displayName',
            valueTag: 'user.name',
            nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
            valueXsiType: 'xs:string',
          },
        ],
      },
    })

  async function answer(url: string): Promise<string> {
    if (service === undefined) throw new Error('no service is trusted')
    const { searchParams, search } = new URL(url, origin)
    const raw = new URLSearchParams(search)
    raw.delete('Signature')
    raw.delete('tenant')
    const signed = ['SAMLRequest', 'RelayState', 'SigAlg']
      .map(name => `${name}=${encodeURIComponent(raw.get(name) ?? '')}`)
      .join('&')
    const idp = provider()
    const asked = await idp.parseLoginRequest(service, 'redirect', {
      query: Object.fromEntries(searchParams),
      octetString: signed,
    } as never)
    const { id } = asked.extract.request as { id: string }
    const acs = service.entityMeta.getAssertionConsumerService('post') as string
    const instant = new Date()
    const later = new Date(instant.getTime() + 60_000).toISOString()
    const made = (await idp.createLoginResponse(
      service,
      asked as never,
      'post',
      { email: self.person.email },
      {
        relayState: searchParams.get('RelayState') ?? '',
        customTagReplacement: (template: string) => {
          const context = samlify.SamlLib.replaceTagsByValue(template, {
            ...{ ID: `_r${id}`, AssertionID: `_a${id}`, InResponseTo: id, Destination: acs },
            ...{
              SubjectRecipient: acs,
              Audience: (service as NonNullable<typeof service>).entityMeta.getEntityID(),
            },
            ...{
              Issuer: entityId,
              IssueInstant: instant.toISOString(),
              AuthnInstant: new Date(instant.getTime() - self.askedSecondsAgo * 1000).toISOString(),
              StatusCode: samlify.Constants.StatusCode.Success,
            },
            ...{ ConditionsNotBefore: instant.toISOString(), ConditionsNotOnOrAfter: later },
            ...{ SubjectConfirmationDataNotOnOrAfter: later, NameIDFormat: EMAIL_FORMAT },
            ...{ NameID: self.person.email, attrUserName: self.person.name ?? '' },
          } as never)
          return { id: `_r${id}`, context }
        },
      } as never,
    )) as { context: string }
    return `<form method="post" action="${acs}"><input name="SAMLResponse" value="${made.context}"><input name="RelayState" value="${searchParams.get('RelayState')}"><button>Go on</button></form>`
  }

  const self: IdentityProvider = {
    entityId,
    ssoUrl,
    person,
    askedSecondsAgo: 0,
    get key() {
      return key
    },
    useKey(next) {
      key = next
    },
    trust(metadata) {
      service = samlify.ServiceProvider({ metadata })
    },
  }
  return self
}
