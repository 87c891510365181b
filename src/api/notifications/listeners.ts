// Remembers the events that people are told of, in their order. Who is told is decided by a job after the commit, so that
// nobody who writes waits for it.
import { sql } from 'kysely'
import type { Trx } from '../../platform/db/database.ts'
import type { Events, EventType } from '../../platform/events/append.ts'
import type { PositionedEvent } from '../../platform/events/positions.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { WRITE_NOTIFICATIONS } from './writing.ts'

const NOTICED: ReadonlySet<string> = new Set<EventType>([
  'comment.created',
  'comment.changed',
  'comment_reply.created',
  'comment_reply.changed',
  'change_request.review_requested',
  'change_request.reviewed',
  'change_request.merged',
  'change_request.conflicts_changed',
  'space.git_sync_completed',
])

export function listenAsNotifications(events: Events, jobs: Jobs): void {
  events.whenPositioned((trx, placed) => noteEvents(trx, jobs, placed))
}

async function noteEvents(trx: Trx, jobs: Jobs, placed: readonly PositionedEvent[]): Promise<void> {
  const noticed = placed.filter(({ type }) => NOTICED.has(type))
  if (noticed.length === 0) return
  await sql`insert into unnoticed_events (organization_id, position, event_id)
    select * from unnest(${noticed.map(one => one.organizationId)}::text[],
      ${noticed.map(one => one.position)}::bigint[], ${noticed.map(one => one.eventId)}::text[])`.execute(trx)
  for (const organization of new Set(noticed.map(one => one.organizationId)))
    await jobs.enqueue(trx, WRITE_NOTIFICATIONS, { organization }, { key: organization, organization })
}
