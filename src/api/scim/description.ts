// What Octavo offers of SCIM (RFC 7643 §5 to §7), as data.
import type { Urls } from '../../http/urls.ts'
import { GROUP_SCHEMA } from './group-draft.ts'
import { COUNT_MAX } from './list-query.ts'
import { USER_SCHEMA } from './user-draft.ts'
import { baseUrlOf } from './wire.ts'

type Description = Readonly<Record<string, unknown>> & { readonly id: string }

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

export const serviceConfigOf = (urls: Urls, organizationId: string) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  documentationUri: urls.root('/docs'),
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: COUNT_MAX },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A SCIM token that an admin of the organization made.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: {
    resourceType: 'ServiceProviderConfig',
    location: `${baseUrlOf(urls, organizationId)}/ServiceProviderConfig`,
  },
})

export const resourceTypesOf = (urls: Urls, organizationId: string): readonly Description[] => {
  const type = (id: string, endpoint: string, schema: string, description: string) => ({
    schemas: [`${CORE}:ResourceType`],
    id,
    name: id,
    endpoint,
    description,
    schema,
    meta: {
      resourceType: 'ResourceType',
      location: `${baseUrlOf(urls, organizationId)}/ResourceTypes/${id}`,
    },
  })
  return [
    type('User', '/Users', USER_SCHEMA, 'A member of the organization'),
    type('Group', '/Groups', GROUP_SCHEMA, 'A team of the organization'),
  ]
}

type Kind = {
  readonly type?: string
  readonly isList?: true
  readonly isRequired?: true
  readonly isReadOnly?: true
  readonly isCaseExact?: true
  readonly isUnique?: true
  readonly parts?: readonly object[]
  readonly values?: readonly string[]
  readonly targets?: readonly string[]
}

const attribute = (name: string, description: string, kind: Kind = {}) => ({
  name,
  type: kind.type ?? 'string',
  multiValued: kind.isList === true,
  description,
  required: kind.isRequired === true,
  caseExact: kind.isCaseExact === true,
  mutability: kind.isReadOnly === true ? 'readOnly' : 'readWrite',
  returned: 'default',
  uniqueness: kind.isUnique === true ? 'server' : 'none',
  ...(kind.parts === undefined ? {} : { subAttributes: kind.parts }),
  ...(kind.values === undefined ? {} : { canonicalValues: kind.values }),
  ...(kind.targets === undefined ? {} : { referenceTypes: kind.targets }),
})

const USER_ATTRIBUTES = [
  attribute('userName', 'The name of the person in the directory', { isRequired: true, isUnique: true }),
  attribute('name', 'The parts of the name', {
    type: 'complex',
    parts: [
      attribute('formatted', 'The whole name'),
      attribute('givenName', 'The given name'),
      attribute('familyName', 'The family name'),
    ],
  }),
  attribute('displayName', 'The name that others see'),
  attribute('emails', 'The email address: one is kept, the primary one or the one for work', {
    type: 'complex',
    isList: true,
    parts: [
      attribute('value', 'The address', { isUnique: true }),
      attribute('type', 'Always work', { values: ['work'] }),
      attribute('primary', 'Always true', { type: 'boolean' }),
    ],
  }),
  attribute('active', 'Whether the person has access to the organization', { type: 'boolean' }),
  attribute('groups', 'The teams of the person', {
    ...{ type: 'complex', isList: true, isReadOnly: true },
    parts: [
      attribute('value', 'The id of the team', { isReadOnly: true, isCaseExact: true }),
      attribute('$ref', 'Its address', { type: 'reference', isReadOnly: true, targets: ['Group'] }),
      attribute('display', 'Its name', { isReadOnly: true }),
      attribute('type', 'Always direct', { isReadOnly: true, values: ['direct'] }),
    ],
  }),
]

const GROUP_ATTRIBUTES = [
  attribute('displayName', 'The name of the team', { isRequired: true, isUnique: true }),
  attribute('members', 'The people of the team', {
    ...{ type: 'complex', isList: true },
    parts: [
      attribute('value', 'The id of the user', { isCaseExact: true }),
      attribute('display', 'Their name', { isReadOnly: true }),
      attribute('type', 'Always User', { isReadOnly: true, values: ['User'] }),
    ],
  }),
]

export const schemasOf = (urls: Urls, organizationId: string): readonly Description[] => {
  const schema = (id: string, name: string, attributes: readonly object[]) => ({
    schemas: [`${CORE}:Schema`],
    id,
    name,
    attributes,
    meta: { resourceType: 'Schema', location: `${baseUrlOf(urls, organizationId)}/Schemas/${id}` },
  })
  return [schema(USER_SCHEMA, 'User', USER_ATTRIBUTES), schema(GROUP_SCHEMA, 'Group', GROUP_ATTRIBUTES)]
}
