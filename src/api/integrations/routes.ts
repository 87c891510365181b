// Integrations: publishing, reading, and their tokens. Where they are installed: see installation-routes.ts.
import { Type } from 'typebox'
import { missing } from '../../base/errors.ts'
import { CachedBody } from '../../http/cached-body.ts'
import { Id, Paging, toList } from '../../http/list.ts'
import {
  callerOperation,
  mount,
  openOperation,
  operationsOf,
  programOperationsOf,
} from '../../http/operation.ts'
import { createdAt } from '../../http/replies.ts'
import { toServedType } from '../../http/served-type.ts'
import { placeEvents } from '../../platform/events/positions.ts'
import { describeFile } from '../../platform/images.ts'
import { listTokens } from '../accounts/rows.ts'
import {
  createIntegrationToken,
  deleteIntegrationToken,
  publishIntegration,
  unpublishIntegration,
} from './actions.ts'
import { findIntegrationEvent, listIntegrationEvents } from './event-rows.ts'
import { installationOperations } from './installation-routes.ts'
import { PUBLICATION_BYTES_MAX, PublishIntegration } from './manifest.ts'
import { audienceOf, type IntegrationAt, onIntegration } from './place.ts'
import { readIntegration, readIntegrations } from './reads.ts'
import { findImages, listIntegrations } from './rows.ts'
import {
  CreateIntegrationToken,
  Integration,
  IntegrationEventDetails,
  IntegrationEventsList,
  IntegrationName,
  Integrations,
  IntegrationTokens,
  IntegrationTokenWithSecret,
  ListIntegrations,
} from './schema.ts'
import { integrationPath, toIntegrationEvent, toIntegrationToken } from './wire.ts'

const operation = operationsOf<'integration', IntegrationAt>()
const openedOperation = programOperationsOf<'integration', IntegrationAt>()

const tag = 'Integrations'
/** `icon-3`, `preview-1-3`: the image, and the version in its address. */
const ASSET = /^(icon|preview-([1-9]))-\d{1,9}$/
const EVERYBODY = ['anonymous', 'user', 'integration', 'installation', 'content'] as const

const reading = {
  method: 'GET',
  tag,
  may: 'listInstallations',
  scope: 'integration:installations:read',
  by: ['user', 'integration'],
} as const
const managing = { tag, may: 'admin', scope: 'unscoped' } as const
const viewing = { method: 'GET', tag, may: 'view', scope: 'any', by: EVERYBODY } as const

export const integrationOperations = [
  openOperation({
    id: 'listIntegrations',
    method: 'GET',
    path: '/integrations',
    summary: 'List integrations',
    description:
      'By name: public ones, those of your organizations, and those installed in an organization that you administer. With a token that has scopes, and none for integrations, only public ones.',
    tag,
    scope: 'any',
    query: ListIntegrations,
    reply: Integrations,
    failures: [401],
    run: async ({ context, query }) => {
      const page = await listIntegrations(context.db, audienceOf(context.principal), query)
      return toList({ ...page, items: await readIntegrations(context, page.items) }, one => one)
    },
  }),
  callerOperation({
    id: 'publishIntegration',
    method: 'POST',
    path: onIntegration.path,
    params: Type.Object({ integrationName: IntegrationName }),
    summary: 'Publish an integration',
    description:
      'The first publication takes the name, which is unique across organizations. Each later one is a new version of everything: fields that it leaves out are removed. You have to be an admin of the `organization` in the body. The script is stored and not run; secrets are stored encrypted.',
    tag,
    scope: 'integration:publish',
    body: PublishIntegration,
    bodyBytesMax: PUBLICATION_BYTES_MAX,
    reply: Integration,
    failures: [404],
    run: async ({ context, params, body }) =>
      readIntegration(context, await publishIntegration(context, params.integrationName, body)),
  }),
  ...mount(
    [onIntegration],
    [
      openedOperation({
        ...viewing,
        id: 'getIntegrationByName',
        path: '',
        summary: 'Get an integration',
        description: 'Without a token, too, unless it is private.',
        reply: Integration,
        run: async ({ context, at }) => readIntegration(context, at.integration),
      }),
      openedOperation({
        ...viewing,
        id: 'getIntegrationAsset',
        path: '/assets/{asset}',
        params: Type.Object({ asset: Id('An image, as `urls.icon` and `previewImages` name it.') }),
        summary: 'Get an image of an integration',
        description: 'Octavo extension. The address in `urls.icon` and `previewImages` of an integration.',
        run: async ({ context, at, params }) => {
          const [, name, number] = ASSET.exec(params.asset) ?? []
          const images = name === undefined ? undefined : await findImages(context.db, at.integration)
          const image = number === undefined ? images?.icon : images?.previews[Number(number) - 1]
          if (image === undefined || image === null) throw missing('image')
          return new CachedBody(image, toServedType(describeFile(image, '').contentType))
        },
      }),
      openedOperation({
        ...reading,
        id: 'listIntegrationEvents',
        path: '/events',
        summary: 'List events of an integration',
        description:
          'Newest first: events where it is installed, as far as the scopes of each installation allow, and events of its installations. Kept for 30 days.',
        query: Paging,
        reply: IntegrationEventsList,
        run: async ({ context, at, query }) => {
          await placeEvents(context)
          const page = await listIntegrationEvents(context.db, at.integration.name, query)
          return toList(page, toIntegrationEvent)
        },
      }),
      openedOperation({
        ...reading,
        id: 'getIntegrationEvent',
        path: '/events/{eventId}',
        params: Type.Object({ eventId: Id('An event of the integration.') }),
        summary: 'Get an event of an integration',
        description: 'Without `trace`: scripts are not run.',
        reply: IntegrationEventDetails,
        run: async ({ context, at, params }) => {
          const row = await findIntegrationEvent(context.db, at.integration.name, params.eventId)
          if (row === undefined) throw missing('event')
          return { event: toIntegrationEvent(row) }
        },
      }),
      operation({
        id: 'unpublishIntegration',
        method: 'DELETE',
        path: '',
        summary: 'Unpublish an integration',
        description: 'With its tokens and with every installation of it.',
        tag,
        may: 'admin',
        scope: 'integration:delete',
        absent: 'done',
        run: ({ context, at }) => unpublishIntegration(context, at.integration),
      }),
      operation({
        ...managing,
        id: 'listIntegrationTokens',
        method: 'GET',
        path: '/tokens',
        summary: 'List tokens of an integration',
        description: 'Octavo extension. Newest first.',
        query: Paging,
        reply: IntegrationTokens,
        run: async ({ context, at, query }) =>
          toList(
            await listTokens(context.db, { integration: at.integration.name }, query),
            toIntegrationToken,
          ),
      }),
      operation({
        ...managing,
        id: 'createIntegrationToken',
        method: 'POST',
        path: '/tokens',
        summary: 'Create a token of an integration',
        description:
          'Octavo extension. With it an integration lists its installations and makes tokens for them. The secret is in `token` of this answer and never shown again.',
        body: CreateIntegrationToken,
        reply: IntegrationTokenWithSecret,
        isAnswerSecret: true,
        status: 201,
        sensitive: true,
        run: async ({ context, at, body }) => {
          const { row, secret } = await createIntegrationToken(context, at.integration, body)
          const path = `${integrationPath(at.integration.name)}/tokens/${row.id}`
          return createdAt(context.urls.api(path), { ...toIntegrationToken(row), token: secret })
        },
      }),
      operation({
        ...managing,
        id: 'deleteIntegrationToken',
        method: 'DELETE',
        path: '/tokens/{tokenId}',
        params: Type.Object({ tokenId: Id('A token of the integration.') }),
        summary: 'Revoke a token of an integration',
        description: 'Octavo extension.',
        absent: 'done',
        run: ({ context, at, params }) => deleteIntegrationToken(context, at.integration, params.tokenId),
      }),
    ],
  ),
  ...installationOperations,
]
