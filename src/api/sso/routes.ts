// Identity providers of an organization, and what its sign-in page offers.
import { Type } from 'typebox'
import { orMissing } from '../../base/errors.ts'
import { Id } from '../../http/list.ts'
import { mount, openOperation, operationsOf } from '../../http/operation.ts'
import { created } from '../../http/replies.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { changeProvider, createProvider, deleteProvider } from './actions.ts'
import { onProvider, type ProviderAt } from './place.ts'
import { readProvider, readProviders } from './reads.ts'
import { findOpenIdOutcomes, listActiveProviders, listProviders } from './rows.ts'
import {
  ChangeSAMLProvider,
  CreateSAMLProvider,
  ListSAMLProviders,
  OpenIDProvider,
  SAMLProvider,
  SAMLProviders,
  SSOProviderLogins,
} from './schema.ts'
import { toLogins, toOpenIdProvider } from './wire.ts'

const inOrganizationOperation = operationsOf<'organization', OrganizationAt>()
const operation = operationsOf<'organization', ProviderAt>()

const reading = { method: 'GET', tag: 'Single sign-on', may: 'admin', scope: 'organization:read' } as const
// Unscoped: an identity provider can sign in as anybody.
const writing = { tag: 'Single sign-on', may: 'admin', scope: 'unscoped' } as const

export const ssoOperations = [
  ...mount(
    [inOrganization],
    [
      inOrganizationOperation({
        ...reading,
        id: 'listSAMLProvidersInOrganizationById',
        path: '/saml',
        summary: 'List identity providers of an organization',
        query: ListSAMLProviders,
        reply: SAMLProviders,
        run: async ({ context, at, query }) =>
          readProviders(context, await listProviders(context.db, at.organization.id, query)),
      }),
      inOrganizationOperation({
        ...writing,
        id: 'createOrganizationSAMLProvider',
        method: 'POST',
        path: '/saml',
        summary: 'Create an identity provider',
        description:
          'Only its label is required: set up the identity provider with the `service` of the answer, then add its details.',
        body: CreateSAMLProvider,
        reply: SAMLProvider,
        status: 201,
        failures: [409],
        sensitive: true,
        run: async ({ context, at, body }) => {
          const row = await createProvider(context, at.organization.id, body)
          return created(await readProvider(context, row))
        },
      }),
    ],
  ),
  ...mount(
    [onProvider],
    [
      operation({
        ...reading,
        id: 'getOrganizationSAMLProviderById',
        path: '',
        summary: 'Get an identity provider',
        reply: SAMLProvider,
        run: ({ context, at }) => readProvider(context, at.provider),
      }),
      operation({
        ...writing,
        id: 'updateOrganizationSAMLProvider',
        method: 'PATCH',
        path: '',
        summary: 'Change an identity provider',
        description:
          'An empty text removes `entityID`, `certificate` or `ssoURL`, null removes `defaultTeam`, `defaultRole` or `attributes`; new `attributes` replace all of them; a new `certificate` replaces all certificates.',
        body: ChangeSAMLProvider,
        reply: SAMLProvider,
        sensitive: true,
        run: async ({ context, at, body }) =>
          readProvider(context, await changeProvider(context, at.provider, body)),
      }),
      operation({
        ...writing,
        id: 'deleteOrganizationSAMLProvider',
        method: 'DELETE',
        path: '',
        summary: 'Delete an identity provider',
        description: 'Nobody can sign in with it any more. Members stay members, and sessions stay open.',
        absent: 'done',
        sensitive: true,
        run: ({ context, at }) => deleteProvider(context, at.provider),
      }),
    ],
  ),
  ...mount(
    [inOrganization],
    [
      inOrganizationOperation({
        ...reading,
        id: 'getOpenIDProviderInOrganization',
        path: '/openid',
        summary: 'Get the identity provider of the installation',
        description:
          'That of OpenID Connect, which the operator sets up for all organizations of the installation. 404 if there is none.',
        reply: OpenIDProvider,
        failures: [404],
        async run({ context, at }) {
          const { config, db, urls } = context
          const oidc = orMissing(config.oidc, 'identity provider')
          const outcomes = await findOpenIdOutcomes(db, oidc.issuer)
          return toOpenIdProvider(urls, oidc, at.organization.id, outcomes)
        },
      }),
    ],
  ),
  openOperation({
    id: 'listSSOProviderLoginsInOrganization',
    method: 'GET',
    path: '/orgs/{organizationId}/sso',
    summary: 'List ways to sign in to an organization',
    description: 'For a sign-in page.',
    tag: 'Single sign-on',
    scope: 'any',
    params: Type.Object({ organizationId: Id('An organization.') }),
    reply: SSOProviderLogins,
    failures: [404],
    run: async ({ context, params }) => {
      const at = orMissing(await inOrganization.find(context, params), 'organization')
      return toLogins(context.urls, await listActiveProviders(context.db, at.organization.id))
    },
  }),
]
