// Webhooks and deliveries as answers.
import type { Urls } from '../../http/urls.ts'
import type { DeliveryRow } from './deliveries.ts'
import { attemptsOf } from './delivery-log.ts'
import type { WebhookRow } from './rows.ts'
import type { Webhook, WebhookDelivery } from './schema.ts'

/** Below its space, or else its organization. */
const webhookPath = ({ id, organization_id, space_id }: WebhookRow): string =>
  `${space_id === null ? `/orgs/${organization_id}` : `/spaces/${space_id}`}/webhooks/${id}`

export function toWebhook(urls: Urls, row: WebhookRow): Webhook {
  const location = urls.api(webhookPath(row))
  return {
    object: 'webhook',
    id: row.id,
    url: row.url,
    description: row.description,
    types: row.types,
    organization: row.organization_id,
    space: row.space_id,
    active: row.paused_because === null,
    pausedBecause: row.paused_because,
    owner: row.owner_id,
    failingSince: row.failing_since?.toISOString() ?? null,
    lastDeliveredAt: row.delivered_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    urls: { location, deliveries: `${location}/deliveries` },
  }
}

const deliveryPath = (webhook: WebhookRow, eventId: string): string =>
  `${webhookPath(webhook)}/deliveries/${eventId}`

export function toDelivery(urls: Urls, webhook: WebhookRow, row: DeliveryRow): WebhookDelivery {
  const attempts = attemptsOf(row.log)
  return {
    object: 'webhook-delivery',
    id: row.event_id,
    type: row.type,
    status: row.status,
    attempts: attempts.length,
    lastAttempt: attempts.at(-1) ?? null,
    nextAttemptAt: row.status === 'waiting' ? row.due_at.toISOString() : null,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
    urls: { location: urls.api(deliveryPath(webhook, row.event_id)) },
  }
}
