// SQL over events, which other modules append and nothing changes.
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Page, type PageQuery, page } from '../../platform/db/page.ts'
import type { Events } from '../../platform/db/tables.ts'
import { PERSONAL_TYPES, TARGET_ID } from './labels.ts'

export type EventRow = Selectable<Events>

/** Filters of a list; absent: no filter. */
export type AuditFilters = {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly action?: string | undefined
  /** null: nobody */
  readonly actor?: string | null | undefined
  readonly target?: string | undefined
  /** From when on the organization keeps events. It moves on while somebody pages, so it is no part of the question. */
  readonly since?: Date | undefined
}

/** The events of an organization, and personal ones of its members since they joined, such as a sign-in. */
const eventsOf = (db: Db, organizationId: string) =>
  db
    .selectFrom(
      db
        .selectFrom('events')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .unionAll(
          db
            .selectFrom('events')
            .innerJoin('members', join =>
              join.on(sql<boolean>`members.user_id = coalesce(events.payload->>'user', events.actor_id)
                and members.joined_at <= events.occurred_at`),
            )
            .selectAll('events')
            .where('events.organization_id', 'is', null)
            .where('events.type', 'in', PERSONAL_TYPES)
            .where('members.organization_id', '=', organizationId),
        )
        .as('events'),
    )
    .selectAll('events')

/** `since`: from when on the organization keeps events. */
export const findEvent = (
  db: Db,
  organizationId: string,
  id: string,
  since: Date | undefined,
): Promise<EventRow | undefined> =>
  eventsOf(db, organizationId)
    .where('events.id', '=', id)
    .$if(since !== undefined, found => found.where('events.occurred_at', '>=', since as Date))
    .executeTakeFirst()

/** `to` has milliseconds and the database microseconds: includes all events shown with the time `to`. */
const justAfter = (to: Date): Date => new Date(to.getTime() + 1)

/** Newest first. */
export function listEvents(
  db: Db,
  organizationId: string,
  { from, to, action, actor, target, since }: AuditFilters,
  query: PageQuery,
): Promise<Page<EventRow>> {
  let found = eventsOf(db, organizationId)
  if (since !== undefined) found = found.where('events.occurred_at', '>=', since)
  if (from !== undefined) found = found.where('events.occurred_at', '>=', from)
  if (to !== undefined) found = found.where('events.occurred_at', '<', justAfter(to))
  if (action !== undefined) found = found.where('events.type', '=', action)
  if (actor !== undefined) found = found.where('events.actor_id', actor === null ? 'is' : '=', actor)
  if (target !== undefined) found = found.where(TARGET_ID, '=', target)
  return page(found, {
    question: {
      list: 'audit-events',
      organization: organizationId,
      ...{ from: from?.toISOString() ?? null, to: to?.toISOString() ?? null, action: action ?? null },
      ...{ actor: actor === undefined ? [] : actor, target: target ?? null },
    },
    by: [
      ['occurred_at', 'desc'],
      ['id', 'desc'],
    ],
    ...query,
  })
}

/** Current names by `type:id`, without those of deleted things. */
export async function findNames(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const one = sql`any(${[...ids]}::text[])`
  const { rows } = await sql<{ key: string; name: string }>`
    select 'user:' || id as key, display_name as name from users where id = ${one}
    union all select 'space:' || id, title from spaces where id = ${one} and organization_id = ${organizationId}
    union all select 'collection:' || id, title from collections where id = ${one} and organization_id = ${organizationId}
    union all select 'team:' || id, title from teams where id = ${one} and organization_id = ${organizationId}
    union all select 'organization:' || id, title from organizations where id = ${one} and id = ${organizationId}
    union all select 'change-request:' || id, subject from change_requests where id = ${one} and subject <> ''
    union all select 'integration:' || name, title from integrations where name = ${one}
    union all select 'installation:' || installations.id, title
      from installations join integrations on integrations.name = installations.integration
      where installations.id = ${one}`.execute(db)
  return new Map(rows.map(({ key, name }) => [key, name]))
}
