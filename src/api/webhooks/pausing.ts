// The server pauses a webhook that cannot be delivered to.
import { now } from '../../base/clock.ts'
import type { Services } from '../../http/context.ts'
import type { EventPayloads } from '../../platform/events/append.ts'
import { lockWebhook, updateWebhook } from './rows.ts'

type WebhookPayload = { webhook: string; receiver: string }

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'webhook.created': WebhookPayload
    'webhook.changed': WebhookPayload & { fields: string[] }
    'webhook.secret_changed': WebhookPayload
    'webhook.paused': WebhookPayload & { because: 'failing' | 'gone' | 'owner' }
    'webhook.deleted': WebhookPayload
  }
}

/** Its pending deliveries stay until they expire. Idempotent: a webhook that is paused or deleted stays as it is. */
export async function pauseWebhook(
  { transaction, events }: Pick<Services, 'transaction' | 'events'>,
  id: string,
  because: EventPayloads['webhook.paused']['because'],
): Promise<void> {
  await transaction(async trx => {
    const webhook = await lockWebhook(trx, id)
    if (webhook === undefined || webhook.paused_because !== null) return
    await updateWebhook(trx, id, { paused_because: because, updated_at: now() })
    await events.append(trx, {
      type: 'webhook.paused',
      organizationId: webhook.organization_id,
      spaceId: webhook.space_id,
      payload: { webhook: id, receiver: webhook.receiver, because },
    })
  })
}
