// SQL over the events of a change request.
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Page, page } from '../../platform/db/page.ts'
import type { Events } from '../../platform/db/tables.ts'
import type { EventType } from '../../platform/events/append.ts'
import type { Person } from '../accounts/wire.ts'
import { personJson } from '../change-requests/rows.ts'
import type { ListTimeline, TimelineType } from './schema.ts'

export type TimelineRow = Pick<Selectable<Events>, 'id' | 'occurred_at' | 'payload'> & {
  readonly type: TimelineType
  readonly actor: Person | null
}

/** Replies stand in the threads, and the comment of a review with the review. */
const TYPES = {
  'change_request.created': 'created',
  'change_request.changed': 'changed',
  'change_request.edited': 'edited',
  'change_request.review_requested': 'review-requested',
  'change_request.review_request_withdrawn': 'review-request-withdrawn',
  'change_request.reviewed': 'reviewed',
  'change_request.merged': 'merged',
  'comment.created': 'commented',
  'space.rolled_back': 'undone',
} as const satisfies Partial<Record<EventType, TimelineType>>

/** Events that the history of a change request is read from, and undoing in `merges`: these are not let go of. */
export const TIMELINE_TYPES: readonly string[] = Object.keys(TYPES)

/** Two events stand for two types each. */
const TYPE = sql<TimelineType>`case
  when events.payload->>'redone' = 'true' then 'redone'
  when events.type = 'change_request.edited' and events.payload->>'type' = 'update' then 'updated'
  else ${JSON.stringify(TYPES)}::jsonb->>events.type end`

/** Without comments that were deleted. */
export function listTimeline(
  db: Db,
  changeRequestId: string,
  { order = 'asc', type: types, format: _, ...query }: ListTimeline,
): Promise<Page<TimelineRow>> {
  let events = db
    .selectFrom('events')
    .select(['id', 'occurred_at', 'payload'])
    .select(TYPE.as('type'))
    .select(
      sql<Person | null>`(select ${personJson('users')} from users where users.id = events.actor_id)`.as(
        'actor',
      ),
    )
    .where(sql<boolean>`events.payload->>'changeRequest' = ${changeRequestId}`)
    .where(sql<boolean>`events.type = any(${TIMELINE_TYPES}::text[])`)
    .where(
      sql<boolean>`(events.type <> 'comment.created' or (events.payload->>'review' is null
        and exists (select from comments where comments.id = events.payload->>'comment')))`,
    )
  if (types !== undefined) events = events.where(sql<boolean>`${TYPE} = any(${types}::text[])`)
  return page(events, {
    question: { list: 'timeline', changeRequest: changeRequestId, order, types: types ?? null },
    by: [
      ['occurred_at', order],
      ['id', order],
    ],
    ...query,
  })
}

/** By id; unknown ids are absent. */
export async function findPeople(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Person>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'display_name', 'email', 'photo_url'])
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** The teams of the organization by id. `viewerId`: of somebody who may not list teams, and sees only their own. */
export async function findSeenTeams(
  db: Db,
  organizationId: string,
  viewerId: string | null,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly title: string }>> {
  if (ids.length === 0) return new Map()
  let teams = db
    .selectFrom('teams')
    .select(['id', 'title'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
  if (viewerId !== null)
    teams = teams.where(
      sql<boolean>`exists (select from team_members
        where team_members.team_id = teams.id and team_members.user_id = ${viewerId})`,
    )
  return new Map((await teams.execute()).map(row => [row.id, row]))
}
