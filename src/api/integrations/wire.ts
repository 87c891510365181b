// Rows of integrations and installations to wire.
import { permissions, type RoleOn } from '../../access/policy.ts'
import type { Context } from '../../http/context.ts'
import type { Urls } from '../../http/urls.ts'
import type { TokenRow } from '../accounts/rows.ts'
import type { OrganizationRow } from '../organizations/rows.ts'
import { toOrganization } from '../organizations/wire.ts'
import { isConfigured, slotOf } from './configuration.ts'
import type { IntegrationEventRow } from './event-rows.ts'
import type { InstallationRow, SpaceInstallationRow } from './installation-rows.ts'
import type { Manifest } from './manifest.ts'
import type { IntegrationRow } from './rows.ts'
import type {
  Installation,
  Integration,
  IntegrationEvent,
  IntegrationToken,
  SpaceInstallation,
} from './schema.ts'

export const integrationPath = (name: string): string => `/integrations/${name}`
const installationPath = ({ integration, id }: { integration: string; id: string }): string =>
  `${integrationPath(integration)}/installations/${id}`
const onSpacePath = (row: Pick<SpaceInstallationRow, 'integration' | 'installation_id' | 'space_id'>) =>
  `${installationPath({ integration: row.integration, id: row.installation_id })}/spaces/${row.space_id}`

export function toIntegration(
  { urls, principal }: Pick<Context, 'urls' | 'principal'>,
  row: IntegrationRow,
  owner: OrganizationRow,
  role: RoleOn<'integration'> | null,
): Integration {
  const { categories = [], externalLinks = [], ...shown } = row.manifest
  const location = urls.api(integrationPath(row.name))
  const image = (name: string) => `${location}/assets/${name}-${row.version}`
  return {
    ...shown,
    object: 'integration',
    name: row.name,
    version: row.version,
    title: row.title,
    description: row.description,
    scopes: row.scopes,
    previewImages: Array.from({ length: row.previews }, (_, index) => image(`preview-${index + 1}`)),
    target: row.target,
    // This server verifies no integrations.
    verified: false,
    visibility: row.visibility,
    categories,
    externalLinks,
    owner: toOrganization(urls, principal, owner),
    urls: {
      location,
      ...(row.has_icon ? { icon: image('icon') } : {}),
      app: urls.root('/'),
      assets: `${location}/assets`,
      publicEndpoint: location,
    },
    permissions: permissions('integration', role, ['admin']),
  }
}

export const toIntegrationToken = (row: TokenRow): IntegrationToken => ({
  object: 'integration-api-token',
  id: row.id,
  label: row.label,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

const installationUrls = (urls: Urls, path: string) => {
  const location = urls.api(path)
  return { location, app: urls.root('/'), publicEndpoint: location }
}

export const toInstallation = (urls: Urls, row: InstallationRow): Installation => ({
  id: row.id,
  integration: row.integration,
  status: row.status,
  scopes: row.scopes,
  space_selection: row.space_selection,
  // There are no sites to select from.
  site_selection: 'all',
  spaces: row.spaces,
  configuration: row.configuration,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  urls: installationUrls(urls, installationPath(row)),
  externalIds: row.external_ids,
  target: { organization: row.organization_id },
})

/** `pending` where its configuration for the space is missing, while the rest of the installation works. */
export function toSpaceInstallation(
  urls: Urls,
  row: SpaceInstallationRow,
  manifest: Manifest,
  space: SpaceInstallation['space'],
): SpaceInstallation {
  const isReady = isConfigured(slotOf(manifest, 'space'), row.configuration)
  return {
    integration: row.integration,
    installation: row.installation_id,
    space,
    status: row.status === 'active' && !isReady ? 'pending' : row.status,
    configuration: row.configuration,
    externalIds: row.external_ids,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    urls: installationUrls(urls, onSpacePath(row)),
  }
}

export const toIntegrationEvent = (row: IntegrationEventRow): IntegrationEvent => ({
  id: row.id,
  integrationId: row.integration,
  installationId: row.installation_id,
  createdAt: row.created_at.toISOString(),
  payload: row.payload,
  status: 'success',
})
