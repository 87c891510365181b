// Organizations, which everything else belongs to.

import { Paging, toList } from '../../http/list.ts'
import { callerOperation, mount, operationsOf } from '../../http/operation.ts'
import { created } from '../../http/replies.ts'
import { changeOrganization, createOrganization } from './actions.ts'
import { makesAdmin } from './makes-admin.ts'
import { inOrganization, type OrganizationAt } from './place.ts'
import { listOrganizations } from './rows.ts'
import {
  ChangeOrganization,
  CreateOrganization,
  EmailDomainProofs,
  Organization,
  Organizations,
} from './schema.ts'
import { toEmailDomainProof, toOrganization } from './wire.ts'

const operation = operationsOf<'organization', OrganizationAt>()

export const organizationOperations = [
  callerOperation({
    id: 'listOrganizationsForAuthenticatedUser',
    method: 'GET',
    path: '/orgs',
    summary: 'List your organizations',
    tag: 'Organizations',
    scope: 'organization:read',
    query: Paging,
    reply: Organizations,
    run: async ({ context, query }) => {
      const { user, onlyIn } = context.principal
      const rows = await listOrganizations(context.db, user.id, onlyIn, query)
      return toList(rows, toOrganization, context.urls, context.principal)
    },
  }),
  callerOperation({
    id: 'createOrganization',
    method: 'POST',
    path: '/orgs',
    summary: 'Create an organization',
    description: 'You become its first admin.',
    tag: 'Organizations',
    scope: 'organization:write',
    body: CreateOrganization,
    reply: Organization,
    status: 201,
    run: async ({ context, body }) => {
      const row = await createOrganization(context, body)
      const creator = { ...context.principal, memberships: new Map([[row.id, 'admin' as const]]) }
      return created(toOrganization(context.urls, creator, row))
    },
  }),
  ...mount(
    [inOrganization],
    [
      operation({
        id: 'getOrganizationById',
        method: 'GET',
        path: '',
        summary: 'Get an organization',
        tag: 'Organizations',
        may: 'view',
        scope: 'organization:read',
        reply: Organization,
        run: async ({ context, at }) => toOrganization(context.urls, context.principal, at.organization),
      }),
      operation({
        id: 'updateOrganizationById',
        method: 'PATCH',
        path: '',
        summary: 'Change an organization',
        tag: 'Organizations',
        may: 'admin',
        scope: 'organization:write',
        body: ChangeOrganization,
        reply: Organization,
        failures: [409, 503],
        sensitive: makesAdmin(({ defaultRole }: ChangeOrganization) => [defaultRole], {
          when: 'changes who may join, how they sign in, or how long the audit is kept',
          is: ({ emailDomains, sso, secondFactor, retention }) =>
            [emailDomains, sso, secondFactor, retention].some(field => field !== undefined),
        }),
        run: async ({ context, at, body }) =>
          toOrganization(
            context.urls,
            context.principal,
            await changeOrganization(context, at.organization, body),
          ),
      }),
      operation({
        id: 'listEmailDomainProofs',
        method: 'GET',
        path: '/email-domains',
        summary: 'Check the email domains of an organization',
        description:
          'Each of `emailDomains`, with the record that proves it. The DNS is asked, within five seconds. Octavo extension.',
        tag: 'Organizations',
        may: 'admin',
        scope: 'organization:read',
        reply: EmailDomainProofs,
        run: async ({ context: { emailDomains }, at: { organization } }) => ({
          items: await Promise.all(
            organization.email_domains.map(async domain =>
              toEmailDomainProof(
                domain,
                emailDomains.recordOf(organization.id, domain),
                await emailDomains.isProven(organization.id, domain),
              ),
            ),
          ),
        }),
      }),
    ],
  ),
]
