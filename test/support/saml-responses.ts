// SAML responses as an identity provider makes them, and as an attacker makes them: every part of them can be
// another, and everything can be signed, or not, with any key.
import { SignedXml } from 'xml-crypto'
import type { SigningKey } from '../../src/api/sso/saml/signing-key.ts'
import { newId } from '../../src/base/ids.ts'

export type Told = {
  readonly acsURL: string
  readonly audience: string
  readonly issuer: string
  readonly requestId: string
  readonly email?: string
}

/** Parts of a response that are other than they should be; null: not there at all. */
export type Odd = {
  readonly nameId?: string
  readonly nameIdFormat?: string | null
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>
  readonly audience?: string | null
  readonly recipient?: string
  readonly destination?: string | null
  readonly issuer?: string
  readonly method?: string
  readonly inResponseTo?: string | null
  readonly confirmedFor?: string | null
  /** Seconds from now. */
  readonly issuedIn?: number
  readonly notBeforeIn?: number
  readonly notAfterIn?: number
  readonly authnStatement?: string
  readonly assertionId?: string
}

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const XMLNS =
  'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const attribute = (name: string, value: string | null | undefined) =>
  value == null ? '' : ` ${name}="${value}"`

export function assertionOf(told: Told, odd: Odd = {}): string {
  const format = odd.nameIdFormat === undefined ? EMAIL_FORMAT : odd.nameIdFormat
  const audience = odd.audience === undefined ? told.audience : odd.audience
  const confirmedFor = odd.confirmedFor === undefined ? told.requestId : odd.confirmedFor
  const issuedAt = inSeconds(odd.issuedIn ?? 0)
  const until = inSeconds(odd.notAfterIn ?? 60)
  const attributes = Object.entries(odd.attributes ?? {}).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${[values]
        .flat()
        .map(value => `<saml:AttributeValue>${value}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  )
  return [
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${odd.assertionId ?? `a${newId()}`}" Version="2.0" IssueInstant="${issuedAt}">`,
    `<saml:Issuer>${odd.issuer ?? told.issuer}</saml:Issuer>`,
    `<saml:Subject><saml:NameID${attribute('Format', format)}>${odd.nameId ?? told.email ?? 'ada@people.test'}</saml:NameID>`,
    `<saml:SubjectConfirmation Method="${odd.method ?? 'urn:oasis:names:tc:SAML:2.0:cm:bearer'}">`,
    `<saml:SubjectConfirmationData NotOnOrAfter="${until}" Recipient="${odd.recipient ?? told.acsURL}"${attribute('InResponseTo', confirmedFor)}/>`,
    '</saml:SubjectConfirmation></saml:Subject>',
    `<saml:Conditions NotBefore="${inSeconds(odd.notBeforeIn ?? -1)}" NotOnOrAfter="${until}">`,
    audience === null
      ? ''
      : `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`,
    '</saml:Conditions>',
    odd.authnStatement ??
      `<saml:AuthnStatement AuthnInstant="${issuedAt}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    attributes.length === 0
      ? ''
      : `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`,
    '</saml:Assertion>',
  ].join('')
}

export const responseAround = (told: Told, assertions: string, odd: Odd = {}, before = ''): string =>
  [
    `<samlp:Response ${XMLNS} ID="r${newId()}" Version="2.0" IssueInstant="${inSeconds(odd.issuedIn ?? 0)}"`,
    attribute('Destination', odd.destination === undefined ? told.acsURL : odd.destination),
    attribute('InResponseTo', odd.inResponseTo === undefined ? told.requestId : odd.inResponseTo),
    `><saml:Issuer>${odd.issuer ?? told.issuer}</saml:Issuer>${before}`,
    '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>',
    assertions,
    '</samlp:Response>',
  ].join('')

const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** Signs one element of the text; the signature follows its Issuer. */
export function sign(
  xml: string,
  key: SigningKey,
  what: 'Assertion' | 'Response' = 'Assertion',
  hash: 'sha256' | 'sha1' = 'sha256',
): string {
  const isNew = hash === 'sha256'
  const signer = new SignedXml({
    privateKey: key.privateKey,
    publicCert: key.certificate,
    signatureAlgorithm: isNew
      ? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
      : 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
    canonicalizationAlgorithm: EXCLUSIVE,
  })
  const xpath = `//*[local-name(.)='${what}']`
  signer.addReference({
    xpath,
    transforms: [ENVELOPED, EXCLUSIVE],
    digestAlgorithm: isNew
      ? 'http://www.w3.org/2001/04/xmlenc#sha256'
      : 'http://www.w3.org/2000/09/xmldsig#sha1',
  })
  signer.computeSignature(xml, {
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
  })
  return signer.getSignedXml()
}

/** What an honest identity provider sends: one assertion, signed. */
export const honest = (told: Told, key: SigningKey, odd: Odd = {}): string =>
  sign(responseAround(told, assertionOf(told, odd), odd), key)

export const toForm = (xml: string): string => Buffer.from(xml).toString('base64')
