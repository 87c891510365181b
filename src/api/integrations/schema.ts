// The wire of integrations, their tokens and their installations.
import { type Static, Type } from 'typebox'
import { dates, ListOf, model, Nullable, OneOf, PageOf, Timestamp, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { Organization } from '../organizations/schema.ts'
import { Space } from '../spaces/schema.ts'
import {
  Categories,
  Category,
  described,
  ExternalLinks,
  INTEGRATION_SCOPES,
  INTEGRATION_VISIBILITIES,
  IntegrationBlock,
  NAME_CHARACTERS_MAX,
  NAME_PATTERN,
  TARGETS,
} from './manifest.ts'

export const IntegrationName = Type.String({
  minLength: 1,
  maxLength: NAME_CHARACTERS_MAX,
  pattern: NAME_PATTERN,
  description: 'The name of an integration.',
})

export const Integration = model('Integration', {
  ...described,
  object: OneOf(['integration']),
  name: Type.String(),
  version: Type.Integer({ minimum: 1 }),
  description: Type.Optional(Type.String()),
  previewImages: Type.Array(Url, { maxItems: 3 }),
  target: OneOf(TARGETS),
  verified: Type.Boolean(),
  visibility: OneOf(INTEGRATION_VISIBILITIES),
  categories: Categories,
  externalLinks: ExternalLinks,
  owner: Organization,
  urls: Type.Object({
    location: Url,
    icon: Type.Optional(Url),
    app: Url,
    assets: Url,
    publicEndpoint: Url,
  }),
  permissions: Type.Object({ admin: Type.Boolean() }),
})
export type Integration = Static<typeof Integration>

export const Integrations = ListOf(Integration)

const filters = {
  search: Type.Optional(Type.String({ maxLength: 100, description: 'In the name and the title.' })),
  category: Type.Optional(Category),
  blockDomain: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: NAME_CHARACTERS_MAX,
      pattern: NAME_PATTERN,
      description: 'Those with a block for links to this domain.',
    }),
  ),
  blocks: Type.Optional(Type.Boolean({ description: 'Whether they have blocks.' })),
  contentSources: Type.Optional(Type.Boolean({ description: 'Whether they have sources of content.' })),
  owner: Type.Optional(RefTo('organization', 'The id of an organization.')),
  scope: Type.Optional(OneOf(INTEGRATION_SCOPES)),
  target: Type.Optional(OneOf(TARGETS)),
}
export const ListIntegrations = PageOf(filters)
export type ListIntegrations = Static<typeof ListIntegrations>

export const ListSpaceIntegrations = Type.Object({ search: filters.search })

export const SpaceIntegrationBlocks = Type.Array(
  Type.Object({ name: Type.String(), blocks: Type.Array(IntegrationBlock) }),
)

export const IntegrationToken = model('IntegrationToken', {
  object: OneOf(['integration-api-token']),
  id: Type.String(),
  label: Type.String({ maxLength: 50 }),
  createdAt: Timestamp,
  expiresAt: Nullable(Timestamp),
  lastUsedAt: Nullable(Timestamp),
})
export type IntegrationToken = Static<typeof IntegrationToken>
export const IntegrationTokens = ListOf(IntegrationToken)
export const IntegrationTokenWithSecret = model('IntegrationTokenWithSecret', {
  ...IntegrationToken.properties,
  token: Type.String({ description: 'The secret. It is shown once and cannot be read again.' }),
})
export const CreateIntegrationToken = Type.Object({
  label: Type.String({ minLength: 1, maxLength: 50 }),
  expiresAt: Type.Optional(Nullable(Timestamp)),
})
export type CreateIntegrationToken = Static<typeof CreateIntegrationToken>

const STATUSES = ['active', 'pending', 'paused'] as const
const SELECTIONS = ['all', 'selected'] as const
const EXTERNAL_IDS_MAX = 5
/** Of a configuration, as JSON. */
export const CONFIGURATION_CHARACTERS_MAX = 64 * 1024

const Configuration = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }))
const ExternalIds = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: EXTERNAL_IDS_MAX })
const InstallationUrls = Type.Object({ location: Url, app: Url, publicEndpoint: Url })

export const OrganizationTarget = model('OrganizationTarget', {
  organization: RefTo('organization'),
})

export const Installation = model('IntegrationInstallation', {
  id: Type.String(),
  integration: Type.String(),
  status: OneOf(
    STATUSES,
    '`pending` until the required configuration is given. Only tokens of an active installation work.',
  ),
  scopes: Type.Array(OneOf(INTEGRATION_SCOPES), {
    description: 'Granted when it was installed: a later version adds none.',
  }),
  space_selection: OneOf(SELECTIONS),
  site_selection: OneOf(SELECTIONS),
  spaces: Type.Integer({ minimum: 0, description: 'How many spaces it reaches.' }),
  configuration: Configuration,
  ...dates,
  urls: InstallationUrls,
  externalIds: ExternalIds,
  target: OrganizationTarget,
})
export type Installation = Static<typeof Installation>
export const Installations = ListOf(Installation)
export const ListInstallations = PageOf({ externalId: Type.Optional(Type.String({ maxLength: 255 })) })
export type ListInstallations = Static<typeof ListInstallations>

export const InstallationsInOrganization = ListOf(
  Type.Object({ installation: Installation, integration: Integration }),
)
export const ListInstallationsInOrganization = PageOf({ search: filters.search })

export const InstallationStatus = Type.Object({ status: OneOf(STATUSES) })

const settings = { configuration: Type.Optional(Configuration), externalIds: Type.Optional(ExternalIds) }

export const UpdateInstallation = Type.Object({
  ...settings,
  space_selection: Type.Optional(OneOf(SELECTIONS)),
  status: Type.Optional(OneOf(['active', 'paused'], 'Octavo extension: pauses or resumes it.')),
})
export type UpdateInstallation = Static<typeof UpdateInstallation>

export const TemporaryToken = model('APITemporaryToken', {
  token: Type.String({ description: 'It expires after an hour.' }),
  expiresAt: Timestamp,
})

export const SpaceInstallation = model('IntegrationSpaceInstallation', {
  integration: Type.String(),
  installation: Type.String(),
  space: Type.Union([Type.String(), Space]),
  status: OneOf(STATUSES),
  configuration: Configuration,
  externalIds: ExternalIds,
  ...dates,
  urls: InstallationUrls,
})
export type SpaceInstallation = Static<typeof SpaceInstallation>
export const SpaceInstallations = ListOf(SpaceInstallation)

export const Extended = Type.Object({
  extended: Type.Optional(Type.Boolean({ description: 'The whole space, where you may see it.' })),
})
export const ListSpaceInstallations = PageOf({ ...Extended.properties })
export const ListSpaceInstallationsOfAll = PageOf({
  ...Extended.properties,
  ...ListInstallations.properties,
})
export const InstallOnSpace = Type.Object({ space: RefTo('space') })
export const UpdateSpaceInstallation = Type.Object(settings)
export type UpdateSpaceInstallation = Static<typeof UpdateSpaceInstallation>

export const IntegrationEvent = model('IntegrationEvent', {
  id: Type.String(),
  integrationId: Type.String({ description: 'The name of the integration.' }),
  installationId: Type.Optional(Type.String()),
  createdAt: Timestamp,
  payload: Type.Unsafe<Record<string, unknown>>(
    Type.Object(
      { eventId: Type.String(), type: Type.String() },
      { additionalProperties: true, description: 'The event, as the public interface has it.' },
    ),
  ),
  status: OneOf(['success', 'failed'], '`success`: it can be fetched. Scripts are not run.'),
})
export type IntegrationEvent = Static<typeof IntegrationEvent>
export const IntegrationEventsList = ListOf(IntegrationEvent)

export const IntegrationEventDetails = Type.Object({
  event: IntegrationEvent,
  trace: Type.Optional(
    model('IntegrationEventTrace', {
      logs: Type.Array(
        Type.Object({
          message: Type.Optional(Type.String()),
          timestamp: Type.Optional(Timestamp),
          level: Type.Optional(OneOf(['debug', 'info', 'warn', 'error'])),
        }),
      ),
    }),
  ),
})
