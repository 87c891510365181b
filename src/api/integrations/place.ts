// An integration, an installation of it, and a space that the installation is set up on.
import { allows, type RoleOn } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import { roleInOrganization } from '../../access/roles.ts'
import type { Context } from '../../http/context.ts'
import { Id } from '../../http/list.ts'
import { placeOf, rowBelow } from '../../http/place.ts'
import {
  findInstallation,
  findOnSpace,
  type InstallationRow,
  isInstalledIn,
  type SpaceInstallationRow,
} from './installation-rows.ts'
import { type Audience, findIntegration, type IntegrationRow } from './rows.ts'
import { IntegrationName } from './schema.ts'

export type IntegrationAt = {
  readonly integration: IntegrationRow
  readonly role: RoleOn<'integration'> | null
}
export type InstallationAt = {
  readonly integration: IntegrationRow
  readonly installation: InstallationRow
  readonly role: RoleOn<'installation'> | null
}
export type SpaceInstallationAt = InstallationAt & { readonly onSpace: SpaceInstallationRow }

/** Organizations where the principal may do this; none for a token that was narrowed to other things. */
const organizationsWhere = (
  principal: Principal,
  action: 'listIntegrations' | 'listInstallations',
): string[] =>
  principal.kind === 'user' && isForIntegrations(principal.scopes)
    ? [...principal.memberships.keys()].filter(id =>
        allows('organization', action, roleInOrganization(principal, id)),
      )
    : []

const isForIntegrations = (scopes: readonly string[] | null): boolean =>
  scopes === null || scopes.some(scope => scope.startsWith('integration:'))

export const audienceOf = (principal: Principal): Audience => ({
  owners: organizationsWhere(principal, 'listIntegrations').sort(),
  installedIn: organizationsWhere(principal, 'listInstallations').sort(),
  self: principal.kind === 'integration' || principal.kind === 'installation' ? principal.integration : null,
})

/** The role on each integration that the principal may see. */
export const rolesOnIntegrations =
  (principal: Principal) =>
  ({ name, organization_id }: IntegrationRow): RoleOn<'integration'> => {
    if (allows('organization', 'admin', roleInOrganization(principal, organization_id))) return 'owner'
    return principal.kind === 'integration' && principal.integration === name ? 'self' : 'onlooker'
  }

/**
 * A private integration is seen by members of its organization, by admins of organizations where it is installed, and
 * by its own tokens; any other by everybody. `listIntegrations` has the same rule, but leaves unlisted ones out.
 */
async function maySee(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  { name, organization_id, visibility }: IntegrationRow,
): Promise<boolean> {
  const { owners, installedIn, self } = audienceOf(principal)
  if (visibility !== 'private' || self === name || owners.includes(organization_id)) return true
  return isInstalledIn(db, name, installedIn)
}

export const onIntegration = placeOf('integration', {
  path: '/integrations/{integrationName}',
  params: { integrationName: IntegrationName },
  async find(context, { integrationName }): Promise<IntegrationAt | undefined> {
    const integration = await findIntegration(context.db, integrationName)
    if (integration === undefined || !(await maySee(context, integration))) return undefined
    return { integration, role: rolesOnIntegrations(context.principal)(integration) }
  },
  role: (_principal, { role }) => role,
})

export const onInstallation = placeOf('installation', {
  path: `${onIntegration.path}/installations/{installationId}`,
  params: {
    integrationName: IntegrationName,
    installationId: Id('An installation of the integration.'),
  },
  async find({ db, principal }, { integrationName, installationId }): Promise<InstallationAt | undefined> {
    const integration = await findIntegration(db, integrationName)
    const installation = integration && (await findInstallation(db, integrationName, installationId))
    if (integration === undefined || installation === undefined) return undefined
    return { integration, installation, role: roleOnInstallation(principal, installation) }
  },
  role: (_principal, { role }) => role,
})

function roleOnInstallation(
  principal: Principal,
  { id, integration, organization_id }: InstallationRow,
): RoleOn<'installation'> | null {
  if (principal.kind === 'installation') return principal.installationId === id ? 'self' : null
  if (principal.kind === 'integration') return principal.integration === integration ? 'integration' : null
  const role = roleInOrganization(principal, organization_id)
  return allows('organization', 'installIntegration', role) ? 'admin' : null
}

export const onSpaceInstallation = rowBelow(onInstallation, 'onSpace', {
  path: '/spaces/{spaceId}',
  params: { spaceId: Id('A space that it is set up on.') },
  noun: 'installation on a space',
  find: ({ db }, { installation }, { spaceId }) => findOnSpace(db, installation.id, spaceId),
})
