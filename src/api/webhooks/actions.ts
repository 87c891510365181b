// Creating, changing and deleting webhooks, and sending something again. Each verb is one transaction.

import { sealSecrets } from '../../access/sealed-secrets.ts'
import { now } from '../../base/clock.ts'
import { conflict, Failure, invalid, missing, orMissing, throttled } from '../../base/errors.ts'
import { newEventId, newId, newSecret } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import type { SignedInContext } from '../../http/operation.ts'
import type { Trx } from '../../platform/db/database.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import type { EventPayloads } from '../../platform/events/append.ts'
import { type DeliveryRow, insertDelivery, renewDelivery } from './deliveries.ts'
import {
  countWebhooks,
  insertWebhook,
  lockWebhook,
  type Of,
  removeWebhook,
  updateWebhook,
  type WebhookRow,
} from './rows.ts'
import type { CreateWebhook, TestEvent, UpdateWebhook } from './schema.ts'
import { send } from './sending.ts'

/** Of an organization, and of each of its spaces. */
const WEBHOOKS_MAX = 20
/** Makes a secret recognisable in logs and to secret scanners. */
const SECRET_PREFIX = 'octv_whsec_'
/** Each blocks its request until the receiver answers. */
const TESTS_AT_ONCE_MAX = 8

/** Appends an event about a webhook. */
async function appendWebhookEvent<T extends keyof EventPayloads & `webhook.${string}`>(
  trx: Trx,
  { events, principal }: SignedInContext,
  type: T,
  { id, organization_id, space_id, receiver }: WebhookRow,
  more: Omit<EventPayloads[T], 'webhook' | 'receiver'>,
): Promise<void> {
  await events.append(trx, {
    type,
    organizationId: organization_id,
    spaceId: space_id,
    actorId: principal.user.id,
    // TypeScript cannot tell that Omit<T, K> with the fields K is T.
    payload: { webhook: id, receiver, ...more } as never,
  })
}

/**
 * The address of a receiver, and its host and port. Throws `invalid` for a refused address. A name that does not
 * resolve now is accepted: it may later.
 */
async function readReceiver({ guard }: Pick<Services, 'guard'>, text: string) {
  const url = URL.parse(text)
  if (url === null) throw invalid('url_invalid', 'body.url: this is no address.')
  if (url.username !== '' || url.password !== '')
    throw invalid(
      'url_invalid',
      'body.url: an address with a user or a password is not taken. What is sent is signed instead.',
    )
  try {
    await guard.check(url.hostname)
  } catch (reason) {
    if (!(reason instanceof Failure) || reason.kind !== 'unavailable') throw reason
  }
  url.hash = ''
  return { url: url.href, receiver: url.host }
}

const newWebhookSecret = (): string => SECRET_PREFIX + newSecret()

export async function createWebhook(
  context: SignedInContext,
  of: Of,
  { url, description = '', types = [] }: CreateWebhook,
): Promise<{ row: WebhookRow; secret: string }> {
  const receiver = await readReceiver(context, url)
  const secret = newWebhookSecret()
  return context.transaction(async trx => {
    if ((await countWebhooks(trx, of)) >= WEBHOOKS_MAX)
      throw conflict(
        'webhooks_too_many',
        `There are ${WEBHOOKS_MAX} webhooks here. Delete one that nobody needs.`,
      )
    const row = await insertWebhook(trx, {
      id: newId(),
      organization_id: of.organizationId,
      space_id: of.spaceId,
      ...receiver,
      description,
      types: [...new Set(types)].sort(),
      secret: sealSecrets(context.signingKey, { secret }),
      owner_id: context.principal.user.id,
    })
    await appendWebhookEvent(trx, context, 'webhook.created', row, {})
    return { row, secret }
  })
}

/** Changing its address or resuming it makes the caller its owner. */
export async function changeWebhook(
  context: SignedInContext,
  { id }: WebhookRow,
  body: UpdateWebhook,
): Promise<WebhookRow> {
  const receiver = body.url === undefined ? undefined : await readReceiver(context, body.url)
  return context.transaction(async trx => {
    const current = orMissing(await lockWebhook(trx, id), 'webhook')
    const isMoved = receiver !== undefined && receiver.url !== current.url
    const isResumed = body.active === true && current.paused_because !== null
    const change = {
      ...(isMoved ? receiver : {}),
      ...(body.description === undefined ? {} : { description: body.description }),
      ...(body.types === undefined ? {} : { types: [...new Set(body.types)].sort() }),
      ...(body.active === false && current.paused_because === null
        ? { paused_because: 'asked' as const }
        : {}),
      ...(isResumed ? { paused_because: null } : {}),
      ...(isMoved || isResumed
        ? { owner_id: context.principal.user.id, failures: 0, failing_since: null, resting_until: null }
        : {}),
    }
    const fields = Object.keys(body).sort()
    if (Object.keys(change).length === 0) return current
    const row = await updateWebhook(trx, id, { ...change, updated_at: now() })
    await appendWebhookEvent(trx, context, 'webhook.changed', row, { fields })
    afterCommit(() => void context.deliveries.emit('due'))
    return row
  })
}

/** Invalidates the previous secret. */
export async function changeSecret(
  context: SignedInContext,
  { id }: WebhookRow,
): Promise<{ row: WebhookRow; secret: string }> {
  const secret = newWebhookSecret()
  return context.transaction(async trx => {
    if ((await lockWebhook(trx, id)) === undefined) throw missing('webhook')
    const sealed = sealSecrets(context.signingKey, { secret })
    const row = await updateWebhook(trx, id, { secret: sealed, updated_at: now() })
    await appendWebhookEvent(trx, context, 'webhook.secret_changed', row, {})
    return { row, secret }
  })
}

/** Deletes its pending deliveries and log too. Idempotent: succeeds if already deleted. */
export async function deleteWebhook(context: SignedInContext, { id }: WebhookRow): Promise<void> {
  await context.transaction(async trx => {
    const row = await removeWebhook(trx, id)
    if (row !== undefined) await appendWebhookEvent(trx, context, 'webhook.deleted', row, {})
  })
}

/** Whatever its status. A pending one becomes due at once. */
export async function redeliver(
  context: SignedInContext,
  webhook: WebhookRow,
  delivery: DeliveryRow,
): Promise<DeliveryRow> {
  if (delivery.position === null)
    throw conflict('delivery_is_test', 'This was a test. Send another one instead.')
  if (webhook.paused_because !== null)
    throw conflict('webhook_paused', 'This webhook is paused. Let it go on first.')
  return context.transaction(async trx => {
    if ((await lockWebhook(trx, webhook.id)) === undefined) throw missing('webhook')
    const row = await renewDelivery(trx, webhook.id, delivery.event_id)
    afterCommit(() => void context.deliveries.emit('due'))
    return row
  })
}

let tests = 0

/** Sends an event that is in no feed, once, without a retry. Works for a paused webhook too. */
export async function testWebhook(
  context: SignedInContext,
  webhook: WebhookRow,
  signal: AbortSignal,
): Promise<DeliveryRow> {
  if (tests >= TESTS_AT_ONCE_MAX)
    throw throttled('Several webhooks are tested at the moment. Try again in some seconds.')
  tests += 1
  try {
    const event = toTestEvent(context, webhook)
    const { eventId, type } = event
    const body = JSON.stringify(event)
    const { entry } = await send(context, { webhook, eventId, type, body, signal })
    return await insertDelivery(context.db, {
      webhook_id: webhook.id,
      event_id: eventId,
      type,
      body,
      status: entry.error === null ? 'delivered' : 'failed',
      attempts: 1,
      log: JSON.stringify([entry]),
      completed_at: now(),
    })
  } finally {
    tests -= 1
  }
}

const toTestEvent = ({ urls, principal }: SignedInContext, webhook: WebhookRow): TestEvent => ({
  object: 'event',
  eventId: newEventId(),
  type: 'webhook.test',
  occurredAt: now().toISOString(),
  organizationId: webhook.organization_id,
  spaceId: webhook.space_id,
  actor: { type: 'user', id: principal.user.id },
  source: 'api',
  payload: { webhook: webhook.id },
  urls: { organization: urls.api(`/orgs/${webhook.organization_id}`) },
})
