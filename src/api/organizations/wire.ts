// Converts rows of organizations to their wire format.
import { permissions } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import { roleInOrganization } from '../../access/roles.ts'
import type { Urls } from '../../http/urls.ts'
import type { ProofRecord } from '../../platform/email-domains.ts'
import type { OrganizationRow } from './rows.ts'
import { type EmailDomainProofs, ORGANIZATION_PERMISSIONS, type Organization } from './schema.ts'

// Every installation has all features, so the plans of the hosted service are constants.
const SELF_HOSTED = {
  type: 'business',
  plan: 'enterprise_2024',
  trial: { status: 'notapplicable', count: 0 },
} as const

/** Visitors of its open spaces see its name and nothing else. */
export const toOrganization = (urls: Urls, principal: Principal, row: OrganizationRow): Organization =>
  roleInOrganization(principal, row.id) === null
    ? toWhole(urls, principal, {
        ...row,
        ...{ email_domains: [], hostname: null, default_role: null, default_content: null },
        ...{ sso: false, ai: false, invite_links: false, merge_rules: { type: 'none' } },
        ...{ second_factor: false, audit_days: null, conversation_days: null },
      })
    : toWhole(urls, principal, row)

const toWhole = (urls: Urls, principal: Principal, row: OrganizationRow): Organization => ({
  object: 'organization',
  id: row.id,
  title: row.title,
  createdAt: row.created_at.toISOString(),
  emailDomains: row.email_domains,
  ...(row.hostname === null ? {} : { hostname: row.hostname }),
  ...SELF_HOSTED,
  defaultRole: row.default_role,
  ...(row.default_content === null ? {} : { defaultContent: row.default_content }),
  sso: row.sso,
  ai: row.ai,
  inviteLinks: row.invite_links,
  retention: { auditDays: row.audit_days, conversationDays: row.conversation_days },
  secondFactor: row.second_factor,
  mergeRules: row.merge_rules,
  urls: {
    location: urls.api(`/orgs/${row.id}`),
    app: urls.root('/'),
    ...(row.logo_url === null ? {} : { logo: row.logo_url }),
  },
  permissions: permissions('organization', roleInOrganization(principal, row.id), ORGANIZATION_PERMISSIONS),
})

export const toEmailDomainProof = (
  domain: string,
  { name, value }: ProofRecord,
  isProven: boolean,
): EmailDomainProofs['items'][number] => ({
  object: 'email-domain',
  domain,
  isProven,
  record: { type: 'TXT', name, value },
})
