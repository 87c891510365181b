// Installations of integrations. On single spaces: see on-space-routes.ts.
import { Type } from 'typebox'
import { missing } from '../../base/errors.ts'
import { toList } from '../../http/list.ts'
import { mount, operationsOf, programOperationsOf } from '../../http/operation.ts'
import { created } from '../../http/replies.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import {
  changeInstallation,
  createInstallationToken,
  installIntegration,
  uninstallIntegration,
} from './installation-actions.ts'
import {
  findInstallationIn,
  listInstallations,
  listInstallationsIn,
  listOnSpaces,
} from './installation-rows.ts'
import { byItself, reading, writing } from './installation-scopes.ts'
import { onSpaceOperations } from './on-space-routes.ts'
import { type InstallationAt, type IntegrationAt, onInstallation, onIntegration } from './place.ts'
import { readInstallationsWithIntegrations, readIntegrations, readOnSpaces } from './reads.ts'
import { listIntegrations, listIntegrationsOn } from './rows.ts'
import {
  Installation,
  InstallationStatus,
  Installations,
  InstallationsInOrganization,
  IntegrationName,
  Integrations,
  ListInstallations,
  ListInstallationsInOrganization,
  ListIntegrations,
  ListSpaceInstallationsOfAll,
  ListSpaceIntegrations,
  OrganizationTarget,
  SpaceInstallations,
  SpaceIntegrationBlocks,
  TemporaryToken,
  UpdateInstallation,
} from './schema.ts'
import { toInstallation } from './wire.ts'

const organizationOperation = operationsOf<'organization', OrganizationAt>()
const spaceOperation = operationsOf<'space', SpaceAt>()
const openedSpaceOperation = programOperationsOf<'space', SpaceAt>()
const integrationOperation = operationsOf<'integration', IntegrationAt>()
const openedIntegrationOperation = programOperationsOf<'integration', IntegrationAt>()
const operation = operationsOf<'installation', InstallationAt>()
const openedOperation = programOperationsOf<'installation', InstallationAt>()

const byIntegration = ['user', 'integration'] as const
/** Of the two lists of a space, which are not paginated. */
const ON_SPACE_MAX = 1000

export const installationOperations = [
  ...mount(
    [inOrganization],
    [
      organizationOperation({
        ...reading,
        id: 'listOrganizationIntegrations',
        path: '/integrations',
        summary: 'List integrations that an organization can install',
        description: 'By name: public ones, its own, and installed ones.',
        may: 'listIntegrations',
        scope: 'integration:read',
        query: ListIntegrations,
        reply: Integrations,
        run: async ({ context, at, query }) => {
          const ids = [at.organization.id]
          const audience = { owners: ids, installedIn: ids, self: null }
          const page = await listIntegrations(context.db, audience, query)
          return toList({ ...page, items: await readIntegrations(context, page.items) }, one => one)
        },
      }),
      organizationOperation({
        ...reading,
        id: 'listOrganizationInstallations',
        path: '/installations',
        summary: 'List installations in an organization',
        description: 'Oldest first.',
        may: 'listInstallations',
        query: ListInstallationsInOrganization,
        reply: InstallationsInOrganization,
        run: async ({ context, at, query }) =>
          readInstallationsWithIntegrations(
            context,
            await listInstallationsIn(context.db, at.organization.id, query),
          ),
      }),
      organizationOperation({
        ...reading,
        id: 'getOrganizationIntegrationInstallationStatus',
        path: '/integrations/{integrationName}/installation_status',
        params: Type.Object({ integrationName: IntegrationName }),
        summary: 'Check whether an integration is installed in an organization',
        may: 'listIntegrations',
        reply: InstallationStatus,
        run: async ({ context, at, params }) => {
          const row = await findInstallationIn(context.db, params.integrationName, at.organization.id)
          if (row === undefined) throw missing('installation')
          return { status: row.status }
        },
      }),
    ],
  ),
  ...mount(
    [onSpace],
    [
      spaceOperation({
        ...reading,
        id: 'listSpaceIntegrations',
        path: '/integrations',
        summary: 'List integrations of a space',
        description: `By name, not paginated, ${ON_SPACE_MAX} at most.`,
        may: 'access',
        scope: 'space:read',
        query: ListSpaceIntegrations,
        reply: Integrations,
        run: async ({ context, at, query }) => {
          const rows = await listIntegrationsOn(context.db, at.space, query.search, ON_SPACE_MAX)
          const items = await readIntegrations(context, rows)
          return { items, count: items.length }
        },
      }),
      openedSpaceOperation({
        ...reading,
        id: 'listSpaceIntegrationsBlocks',
        path: '/integration-blocks',
        summary: 'List blocks of the integrations of a space',
        may: 'view',
        scope: 'space:read',
        by: ['user', 'integration', 'installation'],
        reply: SpaceIntegrationBlocks,
        run: async ({ context, at }) => {
          const rows = await listIntegrationsOn(context.db, at.space, undefined, ON_SPACE_MAX)
          return rows.flatMap(({ name, manifest: { blocks = [] } }) =>
            blocks.length === 0 ? [] : [{ name, blocks }],
          )
        },
      }),
    ],
  ),
  ...mount(
    [onIntegration],
    [
      openedIntegrationOperation({
        ...reading,
        id: 'listIntegrationInstallations',
        path: '/installations',
        summary: 'List installations of an integration',
        description: 'Oldest first.',
        may: 'listInstallations',
        by: byIntegration,
        query: ListInstallations,
        reply: Installations,
        run: async ({ context: { db, urls }, at: { integration }, query }) =>
          toList(await listInstallations(db, integration.name, query), toInstallation, urls),
      }),
      openedIntegrationOperation({
        ...reading,
        id: 'listIntegrationSpaceInstallations',
        path: '/spaces',
        summary: 'List spaces that an integration is set up on',
        description: 'Of all its installations, oldest first.',
        may: 'listInstallations',
        by: byIntegration,
        query: ListSpaceInstallationsOfAll,
        reply: SpaceInstallations,
        run: async ({ context, at: { integration }, query: { extended, ...query } }) => {
          const page = await listOnSpaces(context.db, { integration: integration.name }, query)
          return readOnSpaces(context, integration, page, extended)
        },
      }),
      integrationOperation({
        ...writing,
        id: 'installIntegration',
        method: 'POST',
        path: '/installations',
        summary: 'Install an integration',
        description:
          'In an organization that you are an admin of. It gets the scopes that the integration asks for now. It is `pending` until the required configuration is given.',
        may: 'install',
        body: OrganizationTarget,
        reply: Installation,
        status: 201,
        run: async ({ context, at, body }) => {
          const row = await installIntegration(context, at.integration, body.organization)
          return created(toInstallation(context.urls, row))
        },
      }),
    ],
  ),
  ...mount(
    [onInstallation],
    [
      openedOperation({
        ...reading,
        id: 'getIntegrationInstallationById',
        path: '',
        summary: 'Get an installation',
        may: 'view',
        by: byItself,
        reply: Installation,
        run: async ({ context, at }) => toInstallation(context.urls, at.installation),
      }),
      openedOperation({
        ...writing,
        id: 'updateIntegrationInstallation',
        method: 'PATCH',
        path: '',
        summary: 'Change an installation',
        description:
          'Absent fields stay as they are. `space_selection` and `status` are for admins of the organization.',
        may: 'configure',
        by: byItself,
        body: UpdateInstallation,
        reply: Installation,
        run: async ({ context, at, body }) =>
          toInstallation(context.urls, await changeInstallation(context, at, body)),
      }),
      operation({
        ...writing,
        id: 'uninstallIntegration',
        method: 'DELETE',
        path: '',
        summary: 'Remove an installation',
        description: 'Its tokens are revoked.',
        may: 'manage',
        absent: 'done',
        run: ({ context, at }) => uninstallIntegration(context, at.installation),
      }),
      openedOperation({
        ...writing,
        id: 'createIntegrationInstallationToken',
        method: 'POST',
        path: '/tokens',
        summary: 'Create a token of an installation',
        description: 'For a token of its integration. Valid for an hour, while the installation is active.',
        may: 'issueToken',
        by: ['integration'],
        reply: TemporaryToken,
        isAnswerSecret: true,
        failures: [429],
        run: async ({ context, at }) => {
          const { token, expiresAt } = await createInstallationToken(context, at.installation)
          return { token, expiresAt: expiresAt.toISOString() }
        },
      }),
    ],
  ),
  ...onSpaceOperations,
]
