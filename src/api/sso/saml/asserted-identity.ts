// Who an assertion is about: an email address, a name, and who that is for the provider. Names of attributes are compared
// without case, and of several values the first counts.
import { type Identity, readEmail, readName, readSubject, refuse, type Subject } from '../identity.ts'
import type { ProviderRow } from '../rows.ts'
import { attributeOf, attributesOf, type Element, onlyChild, textOf } from './elements.ts'

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const UNSPECIFIED_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'
const PERSISTENT_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
// In lower case, as they are compared.
const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'emailaddress',
  'email_address',
  'user.email',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'urn:oid:1.2.840.113549.1.9.1',
  'urn:mace:dir:attribute-def:mail',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
]
const NAME_ATTRIBUTES = [
  'displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'name',
]
const FIRST_NAME_ATTRIBUTES = [
  'firstname',
  'first_name',
  'givenname',
  'user.firstname',
  'urn:oid:2.5.4.42',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
]
const LAST_NAME_ATTRIBUTES = [
  'lastname',
  'last_name',
  'surname',
  'sn',
  'user.lastname',
  'urn:oid:2.5.4.4',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
]

/** By the NameID where that is an email address, or by an attribute that has one. What the provider is set to wins. */
export function readIdentity(
  assertion: Element,
  { entity_id, attributes: own }: Pick<ProviderRow, 'entity_id' | 'attributes'>,
): Identity {
  const nameId = onlyChild(onlyChild(assertion, 'Subject'), 'NameID')
  const format = attributeOf(nameId, 'Format') ?? UNSPECIFIED_FORMAT
  const attributes = attributesOf(assertion)
  const named = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : attributes.get(name.trim().toLowerCase())?.[0]
  const oneOf = (names: readonly string[]) => named(names.find(one => attributes.has(one)))
  const email =
    readEmail(named(own.email)) ??
    (format === EMAIL_FORMAT ? readEmail(textOf(nameId)) : undefined) ??
    readEmail(oneOf(EMAIL_ATTRIBUTES)) ??
    (format === UNSPECIFIED_FORMAT ? readEmail(textOf(nameId)) : undefined)
  if (email === undefined)
    throw refuse(
      'saml_email_missing',
      'The identity provider did not send your email address. It has to send it as the NameID, or as an attribute email.',
    )
  const name =
    readName(named(own.displayName)) ??
    join(named(own.firstName), named(own.lastName)) ??
    readName(oneOf(NAME_ATTRIBUTES)) ??
    join(oneOf(FIRST_NAME_ATTRIBUTES), oneOf(LAST_NAME_ATTRIBUTES))
  const subject = readPersistent(nameId, entity_id)
  return { email, name, ...(subject === undefined ? {} : { subject }) }
}

const join = (first: string | undefined, last: string | undefined): string | null =>
  readName(`${first ?? ''} ${last ?? ''}`)

/** Who a persistent NameID names (SAML core §8.3.7). Other formats name somebody for a while, or by their address. */
function readPersistent(nameId: Element | undefined, issuer: string): Subject | undefined {
  const name = textOf(nameId) ?? ''
  if (attributeOf(nameId, 'Format') !== PERSISTENT_FORMAT || name === '') return undefined
  const qualifier = attributeOf(nameId, 'NameQualifier') ?? issuer
  const subject = readSubject(issuer, qualifier === issuer ? name : `${qualifier} ${name}`)
  if (subject === undefined)
    throw refuse(
      'saml_subject_invalid',
      'The answer of the identity provider was refused. Its persistent NameID is longer than 256 characters.',
    )
  return subject
}
