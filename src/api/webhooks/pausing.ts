// A webhook that cannot go on is paused, and says why.
import { now } from '../../base/clock.ts'
import type { Services } from '../../http/context.ts'
import type { EventPayloads } from '../../platform/events/append.ts'
import { lockWebhook, updateWebhook } from './rows.ts'

type About = { webhook: string; receiver: string }

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'webhook.created': About
    'webhook.changed': About & { fields: string[] }
    'webhook.secret_changed': About
    'webhook.paused': About & { because: 'failing' | 'gone' | 'owner' }
    'webhook.deleted': About
  }
}

/** What waits for it waits on, for its day. Idempotent: a webhook that is paused or deleted stays as it is. */
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
