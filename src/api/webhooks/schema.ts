// The wire of webhooks and their deliveries.
import { type Static, Type } from 'typebox'
import { dates, ListOf, model, Nullable, OneOf, PageOf, Timestamp, Url } from '../../http/list.ts'
import { EVENT_TYPES } from '../events/audience.ts'
import type { OrganizationEvent } from '../events/schema.ts'

const PAUSES = ['asked', 'failing', 'gone', 'owner'] as const
const DELIVERY_STATUSES = ['waiting', 'delivered', 'failed'] as const

const EventTypes = Type.Array(OneOf(EVENT_TYPES), {
  maxItems: EVENT_TYPES.length,
  description: 'Only these events; all of them when empty.',
})
const Description = Type.String({ maxLength: 200 })
const Receiver = Type.String({
  minLength: 1,
  maxLength: 2048,
  pattern: '^https?://',
  description: 'Where events are sent, by POST. Redirects are not followed.',
})

const properties = {
  object: OneOf(['webhook']),
  id: Type.String(),
  url: Type.String(),
  description: Type.String(),
  types: Type.Array(Type.String()),
  organization: Type.String(),
  space: Nullable(Type.String({ description: 'Only events of this space are sent; null: all.' })),
  active: Type.Boolean(),
  pausedBecause: Nullable(
    OneOf(
      PAUSES,
      '`asked`: an admin paused it. `failing`: every delivery failed for three days. `gone`: the receiver answered 410. `owner`: its owner may no longer manage it.',
    ),
  ),
  owner: Nullable(
    Type.String({
      description:
        'The user on whose behalf it is sent, who has to be an admin: the one who made it, changed its address or resumed it last.',
    }),
  ),
  failingSince: Nullable(Timestamp),
  lastDeliveredAt: Nullable(Timestamp),
  ...dates,
  urls: Type.Object({ location: Url, deliveries: Url }),
}

export const Webhook = model('Webhook', properties)
export type Webhook = Static<typeof Webhook>
export const Webhooks = ListOf(Webhook)
export const ListWebhooks = PageOf({})

export const WebhookWithSecret = model('WebhookWithSecret', {
  ...properties,
  secret: Type.String({
    description: 'The key that deliveries are signed with. It is shown once and cannot be read again.',
  }),
})

export const CreateWebhook = Type.Object({
  url: Receiver,
  description: Type.Optional(Description),
  types: Type.Optional(EventTypes),
})
export type CreateWebhook = Static<typeof CreateWebhook>

export const UpdateWebhook = Type.Object({
  url: Type.Optional(Receiver),
  description: Type.Optional(Description),
  types: Type.Optional(EventTypes),
  active: Type.Optional(
    Type.Boolean({
      description: 'false pauses it, without queuing events meanwhile; true resumes it.',
    }),
  ),
})
export type UpdateWebhook = Static<typeof UpdateWebhook>

/** Kept of a delivery. */
export const LOG_ENTRIES_MAX = 20

export const Attempt = model('WebhookAttempt', {
  at: Timestamp,
  milliseconds: Type.Integer({ minimum: 0, description: 'Until the receiver answered.' }),
  status: Nullable(Type.Integer({ description: 'Of the answer; null: there was none.' })),
  error: Nullable(Type.String({ description: 'Why it failed; null: it did not.' })),
  answer: Nullable(Type.String({ description: 'The start of the answer’s body.' })),
})
export type Attempt = Static<typeof Attempt>

const delivery = {
  object: OneOf(['webhook-delivery']),
  id: Type.String({ description: 'The `eventId` of the event.' }),
  type: Type.String(),
  status: OneOf(
    DELIVERY_STATUSES,
    '`waiting` for its first or next attempt; `failed`: given up after a day.',
  ),
  attempts: Type.Integer({
    minimum: 0,
    description: `Those in its log, which keeps the last ${LOG_ENTRIES_MAX} entries. Attempts before that are not counted.`,
  }),
  lastAttempt: Nullable(Attempt),
  nextAttemptAt: Nullable(Timestamp),
  createdAt: Timestamp,
  completedAt: Nullable(Timestamp),
  urls: Type.Object({ location: Url }),
}

export const WebhookDelivery = model('WebhookDelivery', delivery)
export type WebhookDelivery = Static<typeof WebhookDelivery>
export const WebhookDeliveries = ListOf(WebhookDelivery)
export const ListDeliveries = PageOf({ status: Type.Optional(OneOf(DELIVERY_STATUSES)) })
export type ListDeliveries = Static<typeof ListDeliveries>

export const WebhookDeliveryDetails = model('WebhookDeliveryDetails', {
  ...delivery,
  log: Type.Array(Attempt, {
    description: 'Its last attempts, oldest first, and an entry for each time it was given up.',
  }),
  event: Type.Unsafe<OrganizationEvent | TestEvent>(
    Type.Object({}, { additionalProperties: true, description: 'The event.' }),
  ),
})
export type WebhookDeliveryDetails = Static<typeof WebhookDeliveryDetails>

/** The event that a test sends. */
export type TestEvent = Pick<
  OrganizationEvent,
  'object' | 'eventId' | 'occurredAt' | 'organizationId' | 'spaceId' | 'actor' | 'source' | 'payload' | 'urls'
> & { readonly type: 'webhook.test' }
