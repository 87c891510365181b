// Converts rows of identity providers to their wire format.
import type { Urls } from '../../http/urls.ts'
import type { OidcConfig } from '../../platform/config.ts'
import type { TeamRow } from '../teams/rows.ts'
import { toTeam } from '../teams/wire.ts'
import { isActive, type OpenIdRow, type ProviderRow } from './rows.ts'
import type { OpenIDProvider, SAMLProvider, SSOProviderLogins } from './schema.ts'

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
  ...toOutcomes(row),
  service: serviceOf(urls, row.id),
  urls: { location: urls.api(`/orgs/${row.organization_id}/saml/${row.id}`) },
})

export const toOpenIdProvider = (
  urls: Urls,
  { issuer, label }: OidcConfig,
  organizationId: string,
  row: OpenIdRow | undefined,
): OpenIDProvider => ({
  object: 'openid-provider',
  label,
  issuer,
  ...(row === undefined ? { lastSignInAt: null, lastFailure: null } : toOutcomes(row)),
  service: { redirectURL: urls.root('/sso/oidc/callback'), startURL: urls.root('/sso/oidc/start') },
  urls: { location: urls.api(`/orgs/${organizationId}/openid`) },
})

const toOutcomes = (row: ProviderRow | OpenIdRow): Pick<SAMLProvider, 'lastSignInAt' | 'lastFailure'> => ({
  lastSignInAt: row.last_signed_in_at?.toISOString() ?? null,
  lastFailure:
    row.last_failed_at === null
      ? null
      : {
          at: row.last_failed_at.toISOString(),
          code: row.last_failure_code ?? '',
          reason: row.last_failure_reason ?? '',
        },
})

export const toLogins = (urls: Urls, rows: readonly ProviderRow[]): SSOProviderLogins => ({
  items: rows.map(({ id, label }) => ({ id, label, startURL: serviceOf(urls, id).startURL })),
})
