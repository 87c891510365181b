// The wire of the event feed. Webhooks are sent the same events.
import { type Static, Type } from 'typebox'
import { LIMIT_ITEMS_DEFAULT, LIMIT_ITEMS_MAX } from '../../base/list-limits.ts'
import { model, Nullable, OneOf, Timestamp, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { EVENT_TYPES } from './audience.ts'

const TYPES_MAX = 50

const Actor = model('EventActor', {
  type: OneOf(['user', 'integration', 'installation', 'system']),
  id: Type.String(),
})

export const OrganizationEvent = model('OrganizationEvent', {
  object: OneOf(['event']),
  eventId: Type.String({
    format: 'uuid',
    description: 'The same in every feed and delivery.',
  }),
  type: Type.String({ description: 'What happened, as `space.published`.' }),
  occurredAt: Timestamp,
  organizationId: Type.String(),
  spaceId: Nullable(Type.String({ description: 'The space it happened in.' })),
  actor: Actor,
  source: OneOf(
    ['ui', 'api', 'integration', 'script'],
    'A browser, a token, an integration, or the operator and the server itself.',
  ),
  payload: Type.Unsafe<Record<string, unknown>>(
    Type.Object({}, { additionalProperties: true, description: 'What changed, without secrets.' }),
  ),
  cursor: Type.String({ description: 'Where the feed continues after this event.' }),
  urls: Type.Object({
    organization: Url,
    space: Type.Optional(Url),
  }),
})
export type OrganizationEvent = Static<typeof OrganizationEvent>

export const ListEvents = Type.Object({
  cursor: Type.Optional(
    Type.String({
      maxLength: 2048,
      description:
        'Where to continue: `cursor` of the previous answer, or of an event. Absent: from the first event. `now`: only later events.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMIT_ITEMS_MAX,
      description: `Events in one answer; ${LIMIT_ITEMS_DEFAULT} when absent.`,
    }),
  ),
  types: Type.Optional(
    Type.Array(OneOf(EVENT_TYPES), {
      maxItems: TYPES_MAX,
      description: 'Only these.',
    }),
  ),
  space: Type.Optional(RefTo('space', 'Only events of this space.')),
})
export type ListEvents = {
  readonly cursor?: string
  readonly limit?: number
  readonly types?: readonly string[]
  readonly space?: string
}

export const EventFeed = model('EventFeed', {
  items: Type.Array(OrganizationEvent),
  cursor: Type.String({ description: 'Where to continue, also after the last event.' }),
  hasMore: Type.Boolean({ description: 'Whether there are more events now.' }),
})
