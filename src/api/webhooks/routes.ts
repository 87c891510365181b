// Webhooks: events are sent to addresses that admins give. All of it is Octavo's own.
import { Type } from 'typebox'
import { orMissing } from '../../base/errors.ts'
import type { Context } from '../../http/context.ts'
import { Id, toList } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { created } from '../../http/replies.ts'
import { findEventsAt } from '../events/rows.ts'
import { toEvent } from '../events/wire.ts'
import {
  changeSecret,
  changeWebhook,
  createWebhook,
  deleteWebhook,
  redeliver,
  testWebhook,
} from './actions.ts'
import { type DeliveryRow, findDelivery, listDeliveries } from './deliveries.ts'
import {
  inOrganizationWebhooks,
  inSpaceWebhooks,
  onOrganizationWebhook,
  onSpaceWebhook,
  type WebhookAt,
  type WebhooksAt,
} from './place.ts'
import { listWebhooks, type WebhookRow } from './rows.ts'
import {
  CreateWebhook,
  ListDeliveries,
  ListWebhooks,
  UpdateWebhook,
  Webhook,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookDeliveryDetails,
  Webhooks,
  WebhookWithSecret,
} from './schema.ts'
import { toDelivery, toWebhook } from './wire.ts'

const operation = operationsOf<'organization' | 'space', WebhooksAt>()
const ofWebhook = operationsOf<'organization' | 'space', WebhookAt>()

const reading = { method: 'GET', tag: 'Events', may: 'admin', scope: 'organization:webhooks:read' } as const
const writing = { tag: 'Events', may: 'admin', scope: 'organization:webhooks:write' } as const
const deliveryParams = Type.Object({ deliveryId: Id('The `eventId` of what was sent.') })

export const webhookOperations = [
  ...mount(
    [inOrganizationWebhooks, inSpaceWebhooks],
    [
      operation({
        ...reading,
        id: { organization: 'listOrganizationWebhooks', space: 'listSpaceWebhooks' },
        path: '',
        summary: 'List webhooks',
        description: 'Octavo extension. Oldest first; those of an organization with those of its spaces.',
        query: ListWebhooks,
        reply: Webhooks,
        run: async ({ context: { db, urls }, at: { of }, query }) =>
          toList(await listWebhooks(db, of, query), toWebhook, urls),
      }),
      operation({
        ...writing,
        id: { organization: 'createOrganizationWebhook', space: 'createSpaceWebhook' },
        method: 'POST',
        path: '',
        summary: 'Create a webhook',
        description:
          'Octavo extension. Events from now on are sent to its address, signed with the `secret` of this answer, which is never shown again. An address on a private network is refused unless the operator allows it.',
        body: CreateWebhook,
        reply: WebhookWithSecret,
        isAnswerSecret: true,
        status: 201,
        sensitive: true,
        run: async ({ context, at, body }) => {
          const { row, secret } = await createWebhook(context, at.of, body)
          return created({ ...toWebhook(context.urls, row), secret })
        },
      }),
    ],
  ),
  ...mount(
    [onOrganizationWebhook, onSpaceWebhook],
    [
      ofWebhook({
        ...reading,
        id: { organization: 'getOrganizationWebhook', space: 'getSpaceWebhook' },
        path: '',
        summary: 'Get a webhook',
        description: 'Octavo extension.',
        reply: Webhook,
        run: async ({ context, at }) => toWebhook(context.urls, at.webhook),
      }),
      ofWebhook({
        ...writing,
        id: { organization: 'updateOrganizationWebhook', space: 'updateSpaceWebhook' },
        method: 'PATCH',
        path: '',
        summary: 'Change, pause or resume a webhook',
        description:
          'Octavo extension. Changing its address or resuming it makes you its owner. Events while it is paused are not sent later; they are in the feed.',
        body: UpdateWebhook,
        reply: Webhook,
        sensitive: { when: 'sends events elsewhere', is: ({ url }) => url !== undefined },
        run: async ({ context, at, body }) =>
          toWebhook(context.urls, await changeWebhook(context, at.webhook, body)),
      }),
      ofWebhook({
        ...writing,
        id: { organization: 'deleteOrganizationWebhook', space: 'deleteSpaceWebhook' },
        method: 'DELETE',
        path: '',
        summary: 'Delete a webhook',
        description: 'Octavo extension. With its pending deliveries and its log.',
        absent: 'done',
        run: ({ context, at }) => deleteWebhook(context, at.webhook),
      }),
      ofWebhook({
        ...writing,
        id: { organization: 'regenerateOrganizationWebhookSecret', space: 'regenerateSpaceWebhookSecret' },
        method: 'POST',
        path: '/secret',
        summary: 'Rotate the secret of a webhook',
        description:
          'Octavo extension. Deliveries from now on are signed with it, and no longer with the old one.',
        reply: WebhookWithSecret,
        isAnswerSecret: true,
        sensitive: true,
        run: async ({ context, at }) => {
          const { row, secret } = await changeSecret(context, at.webhook)
          return { ...toWebhook(context.urls, row), secret }
        },
      }),
      ofWebhook({
        ...writing,
        id: { organization: 'testOrganizationWebhook', space: 'testSpaceWebhook' },
        method: 'POST',
        path: '/test',
        summary: 'Send a test delivery',
        description:
          'Octavo extension. Sends an event `webhook.test` once, without a retry, and answers with the result, after ten seconds at most. A paused webhook can be tested, too.',
        reply: WebhookDelivery,
        status: 201,
        failures: [429],
        run: async ({ context, at, signal }) => {
          const row = await testWebhook(context, at.webhook, signal)
          return created(toDelivery(context.urls, at.webhook, row))
        },
      }),
      ofWebhook({
        ...reading,
        id: { organization: 'listOrganizationWebhookDeliveries', space: 'listSpaceWebhookDeliveries' },
        path: '/deliveries',
        summary: 'List deliveries of a webhook',
        description:
          'Octavo extension. Newest first: pending ones, and the last thousand completed ones of 30 days.',
        query: ListDeliveries,
        reply: WebhookDeliveries,
        run: async ({ context: { db, urls }, at: { webhook }, query }) =>
          toList(await listDeliveries(db, webhook.id, query), toDelivery, urls, webhook),
      }),
      ofWebhook({
        ...reading,
        id: { organization: 'getOrganizationWebhookDelivery', space: 'getSpaceWebhookDelivery' },
        path: '/deliveries/{deliveryId}',
        params: deliveryParams,
        summary: 'Get a delivery, with its attempts and its event',
        description: 'Octavo extension.',
        reply: WebhookDeliveryDetails,
        run: async ({ context, at, params }) => {
          const row = await getDelivery(context, at.webhook, params.deliveryId)
          return {
            ...toDelivery(context.urls, at.webhook, row),
            log: row.log,
            event: await readSent(context, at.webhook, row),
          }
        },
      }),
      ofWebhook({
        ...writing,
        id: { organization: 'redeliverOrganizationWebhook', space: 'redeliverSpaceWebhook' },
        method: 'POST',
        path: '/deliveries/{deliveryId}/redeliver',
        params: deliveryParams,
        summary: 'Resend a delivery',
        description:
          'Octavo extension. At once, with retries for a day. The `eventId` stays the same, however often it is sent.',
        reply: WebhookDelivery,
        run: async ({ context, at, params }) => {
          const row = await getDelivery(context, at.webhook, params.deliveryId)
          return toDelivery(context.urls, at.webhook, await redeliver(context, at.webhook, row))
        },
      }),
    ],
  ),
]

async function getDelivery({ db }: Context, webhook: WebhookRow, eventId: string): Promise<DeliveryRow> {
  return orMissing(await findDelivery(db, webhook.id, eventId), 'delivery')
}

/** As it is sent now: addresses are built at the time of sending. */
async function readSent(
  { db, urls }: Context,
  webhook: WebhookRow,
  { event_id, position, body }: DeliveryRow,
) {
  if (position === null) return JSON.parse(body ?? '{}')
  const event = orMissing((await findEventsAt(db, [{ eventId: event_id, position }])).get(event_id), 'event')
  return toEvent(urls, webhook.organization_id, event)
}
