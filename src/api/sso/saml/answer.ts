// Checks the answer of an identity provider: the assertion, or the whole response around it, must be signed by it, and
// the assertion be for this server, this request and this time. The library verifies the signature and returns what was signed; everything is read from that
// alone. Constructs that no provider sends are refused before parsing: whole classes of attack begin with them.
import { now } from '../../../base/clock.ts'
import type { Failure } from '../../../base/errors.ts'
import type { Compute } from '../../../compute/compute.ts'
import { ASSERTION_AGE_MS, CLOCK_SKEW_MS, type Verification } from '../../../engines/saml/library.ts'
import { type Identity, readName, refuse } from '../identity.ts'
import type { ProviderRow } from '../rows.ts'
import type { SAMLProvider } from '../schema.ts'
import { readIdentity } from './asserted-identity.ts'
import { partiesOf } from './dialogue.ts'
import { attributeOf, childrenOf, type Element, onlyChild, textOf } from './elements.ts'

/** As posted in a form. Real ones have 5 to 20 KB. */
export const RESPONSE_CHARACTERS_MAX = 200 * 1024
// The library's time is superlinear in these, and anybody may cause it. Real ones have some 150 tags and comments, 10
// levels and 60 attributes; that of a person in 400 groups has 1,000 tags.
const MARKS_MAX = 1000
const LEVELS_MAX = 32
const ATTRIBUTES_MAX = 1500
const ID_CHARACTERS_MAX = 256

/** A valid answer. `expiresAt`: when it is refused for its age alone. */
export type SamlAnswer = { readonly id: string; readonly identity: Identity; readonly expiresAt: Date }

/** Throws a Failure that says what is wrong, as far as the user may know. */
export async function readSamlAnswer(
  { compute }: { readonly compute: Pick<Compute, 'run'> },
  provider: ProviderRow,
  service: SAMLProvider['service'],
  requestId: string,
  samlResponse: string,
): Promise<SamlAnswer> {
  const xml = decode(samlResponse)
  checkShape(xml)
  checkDestination(xml, service.acsURL)
  const outcome = await compute.run('samlVerification', provider.organization_id, {
    parties: partiesOf(provider, service),
    requestId,
    xml,
  })
  if (outcome.kind === 'beyond') throw tooLarge()
  if (outcome.value.kind !== 'signed') throw explain(outcome.value)
  const { assertion } = outcome.value
  const issuedAt = checkAssertion(assertion, provider, service, requestId)
  const id = attributeOf(assertion, 'ID') ?? ''
  if (id === '' || id.length > ID_CHARACTERS_MAX) throw unreadable()
  return {
    id,
    identity: { ...readIdentity(assertion, provider), ...readAuthenticated(assertion) },
    expiresAt: new Date(issuedAt + ASSERTION_AGE_MS + CLOCK_SKEW_MS),
  }
}

/** Strict UTF-8, so that the checked text is the parsed text. */
function decode(samlResponse: string): string {
  if (samlResponse.length > RESPONSE_CHARACTERS_MAX) throw unreadable()
  const base64 = samlResponse.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw unreadable()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch (error) {
    throw unreadable(error)
  }
}

// Accepted in an Algorithm attribute. SHA-1 is not: it has collisions.
const ALGORITHMS: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
])

function checkShape(xml: string): void {
  // Document types, entities and every other declaration, in any case; but not comments and CDATA sections.
  if (/<!(?!--|\[CDATA\[)/.test(xml)) throw refuse('saml_declaration', `${REFUSED} It has a document type.`)
  if (xml.indexOf('<?', 1) !== -1)
    throw refuse('saml_instruction', `${REFUSED} It has a processing instruction.`)
  if (isTooLarge(xml)) throw tooLarge()
  if (/<(?:[\w.-]+:)?EncryptedAssertion[\s>/]/.test(xml))
    throw refuse('saml_encrypted', `${REFUSED} Its assertion is encrypted, which Octavo has no key for.`)
  for (const [, double, single] of xml.matchAll(/\bAlgorithm\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    const algorithm = double ?? single ?? ''
    if (!ALGORITHMS.has(algorithm))
      throw refuse(
        'saml_algorithm',
        `${REFUSED} It is signed with ${/sha1$/i.test(algorithm) ? 'SHA-1: let it sign with SHA-256' : 'an unsupported algorithm'}.`,
      )
  }
}

function isTooLarge(xml: string): boolean {
  if (xml.split('<').length > MARKS_MAX || xml.split('=').length > ATTRIBUTES_MAX) return true
  let level = 0
  for (const [tag] of xml.matchAll(/<\/?[^<>]*>?/g)) {
    if (tag.startsWith('</')) level -= 1
    else if (/^<[^?!]/.test(tag) && !tag.endsWith('/>')) level += 1
    if (level > LEVELS_MAX) return true
  }
  return false
}

/** Checks the outermost element, which is not signed: only guards against misrouted answers. */
function checkDestination(xml: string, acsURL: string): void {
  const root = /<(?![?!])[^<>]*>/.exec(xml)?.[0] ?? ''
  const [, double, single] = /\sDestination\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(root) ?? []
  const destination = double ?? single
  if (destination !== undefined && destination !== acsURL)
    throw refuse('saml_destination', `${REFUSED} It was made for another address than ${acsURL}.`)
}

const REFUSED = 'The answer of the identity provider was refused.'

const unreadable = (cause?: unknown) =>
  refuse('saml_unreadable', `${REFUSED} It is not a SAML response with one assertion.`, cause)

const tooLarge = () => refuse('saml_too_large', `${REFUSED} It has too many elements.`)

/** Maps messages of the library to failures that people can act on. */
function explain({ kind, words }: Exclude<Verification, { kind: 'signed' }>): Failure {
  if (kind === 'denied') {
    const reason = readName(words.slice(0, 200)) ?? ''
    return refuse('saml_status', `The identity provider did not let you in. ${reason}`.trim(), words)
  }
  if (/expired|not yet valid|too old|subject confirmation found/i.test(words))
    return refuse(
      'saml_time',
      `${REFUSED} It is not valid at this time: try again, and see that both clocks are right.`,
      words,
    )
  if (/audience/i.test(words))
    return refuse('saml_audience', `${REFUSED} It was made for another service (its audience).`, words)
  if (/InResponseTo/.test(words))
    return refuse('saml_unasked', `${REFUSED} It does not answer this request. Sign in again.`, words)
  if (/signature/i.test(words))
    return refuse(
      'saml_signature',
      `${REFUSED} Neither it nor its assertion is signed with a certificate that is set up here.`,
      words,
    )
  return unreadable(words)
}

/** The checks that the library leaves to its caller (SAML profiles §4.1.4.2, §4.1.4.3). Returns when it was issued. */
function checkAssertion(
  assertion: Element,
  provider: ProviderRow,
  service: SAMLProvider['service'],
  requestId: string,
): number {
  if (textOf(onlyChild(assertion, 'Issuer')) !== provider.entity_id)
    throw refuse('saml_issuer', `${REFUSED} It was not issued by ${provider.entity_id}.`)
  const confirmations = childrenOf(onlyChild(assertion, 'Subject'), 'SubjectConfirmation')
  if (!confirmations.some(one => isConfirmed(one, service.acsURL, requestId)))
    throw refuse('saml_recipient', `${REFUSED} It was not made for this server and this request.`)
  if (childrenOf(assertion, 'AuthnStatement').length === 0)
    throw refuse('saml_unauthenticated', `${REFUSED} It does not say that somebody signed in.`)
  for (const statement of childrenOf(assertion, 'AuthnStatement')) {
    const until = attributeOf(statement, 'SessionNotOnOrAfter')
    if (until !== undefined && !(Date.parse(until) + CLOCK_SKEW_MS > now().getTime()))
      throw refuse('saml_time', `${REFUSED} Your session there has ended. Sign in again.`)
  }
  const issuedAt = Date.parse(attributeOf(assertion, 'IssueInstant') ?? '')
  const age = now().getTime() - issuedAt
  if (!(age >= -CLOCK_SKEW_MS && age <= ASSERTION_AGE_MS + CLOCK_SKEW_MS))
    throw refuse('saml_time', `${REFUSED} It is not valid at this time: check that both clocks are right.`)
  return issuedAt
}

/** When the person was asked who they are: of several statements, what all of them say. */
function readAuthenticated(assertion: Element): Pick<Identity, 'authenticatedAt'> {
  const times = childrenOf(assertion, 'AuthnStatement').map(one =>
    Date.parse(attributeOf(one, 'AuthnInstant') ?? ''),
  )
  const first = Math.min(...times)
  return Number.isNaN(first) ? {} : { authenticatedAt: new Date(first).toISOString() }
}

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

function isConfirmed(confirmation: Element, acsURL: string, requestId: string): boolean {
  if (attributeOf(confirmation, 'Method') !== BEARER) return false
  const data = onlyChild(confirmation, 'SubjectConfirmationData')
  const until = Date.parse(attributeOf(data, 'NotOnOrAfter') ?? '')
  return (
    attributeOf(data, 'Recipient') === acsURL &&
    attributeOf(data, 'InResponseTo') === requestId &&
    until + CLOCK_SKEW_MS > now().getTime()
  )
}
