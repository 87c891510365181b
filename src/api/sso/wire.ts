// Converts rows of identity providers to their wire format.
import type { Urls } from '../../http/urls.ts'
import type { TeamRow } from '../teams/rows.ts'
import { toTeam } from '../teams/wire.ts'
import { isActive, type ProviderRow } from './rows.ts'
import type { SAMLProvider, SSOProviderLogins } from './schema.ts'

/** The addresses of Octavo for the provider and browsers. The entity id is the address of its metadata. */
export const serviceOf = (urls: Urls, providerId: string): SAMLProvider['service'] => ({
  acsURL: urls.root(`/sso/saml/${providerId}/acs`),
  startURL: urls.root(`/sso/saml/${providerId}/start`),
  entityID: urls.root(`/sso/saml/${providerId}/metadata`),
})

export const toProvider = (urls: Urls, row: ProviderRow, team: TeamRow | undefined): SAMLProvider => ({
  object: 'saml-provider',
  id: row.id,
  label: row.label,
  entityID: row.entity_id,
  certificate: row.certificate,
  ssoURL: row.sso_url,
  // Only admins of the organization read this.
  ...(team === undefined ? {} : { defaultTeam: toTeam(team, 'admin') }),
  defaultRole: row.default_role,
  attributes: row.attributes,
  createdAt: row.created_at.toISOString(),
  status: isActive(row) ? 'active' : 'pending',
  lastSignInAt: row.last_signed_in_at?.toISOString() ?? null,
  lastFailure: toFailure(row),
  service: serviceOf(urls, row.id),
  urls: { location: urls.api(`/orgs/${row.organization_id}/saml/${row.id}`) },
})

const toFailure = (row: ProviderRow): SAMLProvider['lastFailure'] =>
  row.last_failed_at === null
    ? null
    : {
        at: row.last_failed_at.toISOString(),
        code: row.last_failure_code ?? '',
        reason: row.last_failure_reason ?? '',
      }

export const toLogins = (urls: Urls, rows: readonly ProviderRow[]): SSOProviderLogins => ({
  items: rows.map(({ id, label }) => ({ id, label, startURL: serviceOf(urls, id).startURL })),
})
