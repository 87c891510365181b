// What identity providers say of a person, in the shapes that they have by their own documentation and defaults: one SAML
// assertion, ID token or answer of userinfo each. Names and ids are invented.
import type { Odd } from './saml-responses.ts'

/** Of whom each says something. */
export type Person = { readonly email: string; readonly first: string; readonly last: string }

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const MICROSOFT = 'http://schemas.microsoft.com/identity/claims'
const NAME_ID = 'urn:oasis:names:tc:SAML:1.1:nameid-format'

export type SamlShape = {
  readonly name: string
  /** What is signed. */
  readonly signs: 'Assertion' | 'Response'
  /** What an admin sets in `attributes`, as the guide says. */
  readonly attributes?: Readonly<Record<string, string>>
  says(person: Person): Odd
}

export const SAML_SHAPES: readonly SamlShape[] = [
  {
    name: 'Entra ID',
    signs: 'Assertion',
    says: ({ email, first, last }) => ({
      nameIdFormat: `${NAME_ID}:emailAddress`,
      nameId: email,
      attributes: {
        [`${MICROSOFT}/tenantid`]: '9188040d-6c67-4c5b-b112-36a304b66dad',
        [`${MICROSOFT}/objectidentifier`]: '00000000-0000-0000-66f3-3332eca7ea81',
        [`${MICROSOFT}/displayname`]: `${first} ${last}`,
        [`${MICROSOFT}/identityprovider`]: 'https://sts.windows.net/9188040d-6c67-4c5b-b112-36a304b66dad/',
        'http://schemas.microsoft.com/claims/authnmethodsreferences': [
          'http://schemas.microsoft.com/ws/2008/06/identity/authenticationmethod/password',
          'http://schemas.microsoft.com/claims/multipleauthn',
        ],
        [`${CLAIMS}/givenname`]: first,
        [`${CLAIMS}/surname`]: last,
        [`${CLAIMS}/emailaddress`]: email,
        [`${CLAIMS}/name`]: email,
      },
    }),
  },
  {
    name: 'ADFS',
    signs: 'Assertion',
    says: ({ email, first, last }) => ({
      // Without a rule that makes a NameID of another format.
      nameIdFormat: null,
      nameId: `EXAMPLE\\${first.toLowerCase()}`,
      attributes: {
        [`${CLAIMS}/upn`]: `${first.toLowerCase()}@corp.example.internal`,
        [`${CLAIMS}/emailaddress`]: email,
        [`${CLAIMS}/givenname`]: first,
        [`${CLAIMS}/surname`]: last,
        'http://schemas.xmlsoap.org/claims/Group': ['Domain Users', 'Staff'],
      },
    }),
  },
  {
    name: 'Okta',
    signs: 'Response',
    says: ({ email, first, last }) => ({
      nameIdFormat: `${NAME_ID}:unspecified`,
      nameId: email,
      attributes: { email, firstName: first, lastName: last, groups: ['Everyone', 'Docs'] },
    }),
  },
  {
    name: 'Google Workspace',
    signs: 'Assertion',
    says: ({ email, first, last }) => ({
      nameIdFormat: `${NAME_ID}:emailAddress`,
      nameId: email,
      attributes: { firstName: first, lastName: last },
    }),
  },
  {
    name: 'Keycloak',
    signs: 'Response',
    says: ({ email, first, last }) => ({
      nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      nameId: 'G-5e9f1a0c-7f0d-4d5e-9a51-1f6f2a6f3b11',
      attributes: {
        'urn:oid:1.2.840.113549.1.9.1': email,
        'urn:oid:2.5.4.42': first,
        'urn:oid:2.5.4.4': last,
        Role: ['offline_access', 'uma_authorization', 'default-roles-example'],
      },
    }),
  },
  {
    name: 'Cognito or another whose attributes have names of their own',
    signs: 'Assertion',
    attributes: { email: 'custom:work_mail', displayName: 'custom:full_name' },
    says: ({ email, first, last }) => ({
      nameIdFormat: `${NAME_ID}:unspecified`,
      nameId: '0f6b1a6e-5d1f-4d9c-8f6e-0a1b2c3d4e5f',
      attributes: { 'custom:work_mail': email, 'custom:full_name': `${first} ${last}` },
    }),
  },
]

export type OpenIdShape = {
  readonly name: string
  /** OCTAVO_OIDC_EMAIL_CLAIM and OCTAVO_OIDC_TRUST_EMAIL, as the guide says. */
  readonly emailClaim?: string
  readonly trustsEmails?: true
  token(person: Person): Readonly<Record<string, unknown>>
  /** Absent: it has none, or says no more there. */
  userinfo?(person: Person): Readonly<Record<string, unknown>>
}

export const OPENID_SHAPES: readonly OpenIdShape[] = [
  {
    name: 'Entra ID',
    emailClaim: 'preferred_username',
    trustsEmails: true,
    token: ({ email, first, last }) => ({
      ...{ ver: '2.0', tid: '9188040d-6c67-4c5b-b112-36a304b66dad', aio: 'Df2UVXL1ix', rh: '0.AAAA' },
      ...{ oid: '00000000-0000-0000-66f3-3332eca7ea81', sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ' },
      ...{ name: `${first} ${last}`, preferred_username: email },
    }),
    userinfo: ({ first, last }) => ({ given_name: first, family_name: last, name: `${first} ${last}` }),
  },
  {
    name: 'ADFS',
    emailClaim: 'upn',
    trustsEmails: true,
    token: ({ email, first }) => ({
      ...{ sub: 'wTpoTRTdZUbI5F6QxVcSbdXYPEXWpGUZbXh5hCYYXDM=', upn: email, apptype: 'Confidential' },
      ...{ unique_name: `EXAMPLE\\${first.toLowerCase()}`, pwd_exp: '1173000', sid: 'S-1-5-21-1-2-3-1106' },
    }),
  },
  {
    name: 'Cognito',
    token: ({ email, first }) => ({
      ...{ sub: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee', token_use: 'id', email, email_verified: true },
      ...{ 'cognito:username': first.toLowerCase(), 'cognito:groups': ['staff'], at_hash: 'x7Fq' },
    }),
  },
  {
    name: 'Cognito with a pool that says more at userinfo',
    token: () => ({ sub: 'aaaaaaaa-bbbb-cccc-dddd-ffffffffffff', token_use: 'id' }),
    userinfo: ({ email, first, last }) => ({
      // As text: https://docs.aws.amazon.com/cognito/latest/developerguide/userinfo-endpoint.html
      ...{ username: first.toLowerCase(), email, email_verified: 'true', name: `${first} ${last}` },
    }),
  },
  {
    name: 'Apple',
    token: ({ email }) => ({
      ...{ sub: '001234.5e9f1a0c7f0d4d5e9a511f6f2a6f3b11.0123', email, email_verified: 'true' },
      ...{ is_private_email: 'false', nonce_supported: true, real_user_status: 2 },
    }),
  },
  {
    name: 'Okta',
    // With an access token beside it, its ID token is thin.
    token: ({ email }) => ({ sub: '00uid4BxXw6I6TV4m0g3', ver: 1, idp: '00o1', preferred_username: email }),
    userinfo: ({ email, first, last }) => ({
      ...{ email, email_verified: true, name: `${first} ${last}`, zoneinfo: 'America/Los_Angeles' },
      ...{ preferred_username: email, given_name: first, family_name: last, updated_at: 1_311_280_970 },
    }),
  },
  {
    name: 'Google',
    token: ({ email, first, last }) => ({
      ...{ sub: '10769150350006150715113082367', azp: 'octavo', hd: email.split('@')[1], at_hash: 'HK6E' },
      ...{ email, email_verified: true, name: `${first} ${last}`, given_name: first, family_name: last },
      ...{ picture: 'https://lh3.googleusercontent.com/a/photo=s96-c' },
    }),
  },
  {
    name: 'Keycloak',
    token: ({ email, first, last }) => ({
      ...{ sub: '5e9f1a0c-7f0d-4d5e-9a51-1f6f2a6f3b11', typ: 'ID', azp: 'octavo', acr: '1', sid: 'b7c5' },
      ...{ email_verified: true, name: `${first} ${last}`, preferred_username: first.toLowerCase(), email },
      ...{ given_name: first, family_name: last },
    }),
  },
]
