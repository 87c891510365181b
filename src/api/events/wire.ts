// Converts events to the wire format of the feed and of webhooks.
import { decodeCursor, encodeCursor } from '../../base/cursor.ts'
import { invalid } from '../../base/errors.ts'
import type { Urls } from '../../http/urls.ts'
import type { EventRow } from './rows.ts'
import type { OrganizationEvent } from './schema.ts'

/** The actor of scheduled work, and of the operator's commands. */
const SYSTEM = 'system'

const questionOf = (organizationId: string) => ({ list: 'events', organization: organizationId })

/** A cursor of an organization's feed, for any filters. */
export const toCursor = (organizationId: string, position: number): string =>
  encodeCursor(questionOf(organizationId), [position])

/** Throws `invalid` for a cursor of another feed, or a text that is not a cursor. */
export function readCursor(organizationId: string, cursor: string): number {
  const [position] = decode(organizationId, cursor)
  if (typeof position !== 'number' || !Number.isSafeInteger(position) || position < 0)
    throw invalid(
      'cursor_invalid',
      'query.cursor: this is not a cursor of this feed. Take it from one of its answers or events.',
    )
  return position
}

function decode(organizationId: string, cursor: string): readonly unknown[] {
  try {
    return decodeCursor(questionOf(organizationId), cursor)
  } catch {
    return []
  }
}

export const toEvent = (urls: Urls, organizationId: string, row: EventRow): OrganizationEvent => ({
  object: 'event',
  eventId: row.id,
  type: row.type,
  occurredAt: row.occurred_at.toISOString(),
  organizationId,
  spaceId: row.space_id,
  actor:
    row.actor_id === null
      ? { type: SYSTEM, id: SYSTEM }
      : { type: row.actor_kind ?? 'user', id: row.actor_id },
  source: row.source,
  payload: row.payload,
  cursor: toCursor(organizationId, row.position),
  urls: {
    organization: urls.api(`/orgs/${organizationId}`),
    ...(row.space_id === null ? {} : { space: urls.api(`/spaces/${row.space_id}`) }),
  },
})
