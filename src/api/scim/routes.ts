// The tokens of an organization's directory.
import { Type } from 'typebox'
import { Id, toList } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { createdAt } from '../../http/replies.ts'
import { listTokens } from '../accounts/rows.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { CreateSCIMToken, ListSCIMTokens, SCIMTokens, SCIMTokenWithSecret } from './schema.ts'
import { createScimToken, deleteScimToken } from './tokens.ts'
import { baseUrlOf, toScimToken } from './wire.ts'

const operation = operationsOf<'organization', OrganizationAt>()

const tag = 'Single sign-on'

export const scimOperations = mount(
  [inOrganization],
  [
    operation({
      id: 'listScimTokens',
      method: 'GET',
      path: '/scim/tokens',
      summary: 'List SCIM tokens of an organization',
      description: 'Octavo extension. Newest first.',
      tag,
      may: 'admin',
      scope: 'organization:read',
      query: ListSCIMTokens,
      reply: SCIMTokens,
      run: async ({ context, at, query }) =>
        toList(await listTokens(context.db, { directoryOf: at.organization.id }, query), toScimToken),
    }),
    operation({
      id: 'createScimToken',
      method: 'POST',
      path: '/scim/tokens',
      summary: 'Create a SCIM token',
      description:
        'Octavo extension. With it the directory of the organization manages its people and teams by SCIM 2.0, at the `baseURL` of the answer. The secret is in `token` of this response and is never shown again.',
      tag,
      may: 'admin',
      // It could let in anybody.
      scope: 'unscoped',
      body: CreateSCIMToken,
      reply: SCIMTokenWithSecret,
      isAnswerSecret: true,
      status: 201,
      failures: [409],
      sensitive: true,
      run: async ({ context, at, body }) => {
        const { row, secret } = await createScimToken(context, at.organization.id, body)
        return createdAt(context.urls.api(`/orgs/${at.organization.id}/scim/tokens/${row.id}`), {
          ...toScimToken(row),
          token: secret,
          baseURL: baseUrlOf(context.urls, at.organization.id),
        })
      },
    }),
    operation({
      id: 'deleteScimToken',
      method: 'DELETE',
      path: '/scim/tokens/{tokenId}',
      params: Type.Object({ tokenId: Id('A SCIM token of the organization.') }),
      summary: 'Revoke a SCIM token',
      description: 'Octavo extension.',
      tag,
      may: 'admin',
      scope: 'unscoped',
      absent: 'done',
      run: ({ context, at, params }) => deleteScimToken(context, at.organization.id, params.tokenId),
    }),
  ],
)
