// SQL over events in the order of their positions.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { UserPrincipal } from '../../access/principal.ts'
import {
  allSpacesWithEffectiveRole,
  personOf,
  RANK_ON_SPACE,
  roleInOrganization,
} from '../../access/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Events } from '../../platform/db/tables.ts'
import { TYPES_BY_RANK, typesInOrganization } from './audience.ts'

export type EventRow = Pick<
  Selectable<Events>,
  | 'id'
  | 'type'
  | 'occurred_at'
  | 'organization_id'
  | 'space_id'
  | 'actor_id'
  | 'actor_kind'
  | 'source'
  | 'payload'
> & { readonly position: number }

/** Events that one request scans, however few of them match. */
export const SCANNED_MAX = 10_000

export type Feed = {
  readonly items: readonly EventRow[]
  /** Everything up to it was scanned. */
  readonly position: number
  readonly hasMore: boolean
}

export async function findLastPosition(db: Db, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom('event_positions')
    .select('position')
    .where('organization_id', '=', organizationId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.position ?? 0
}

export type FeedQuery = {
  readonly organizationId: string
  readonly after: number
  readonly limit: number
  readonly types: readonly string[] | undefined
  readonly space: string | undefined
}

/** The events after a position that `principal` may see. Two queries, one for admins. */
export async function readFeed(db: Db, principal: UserPrincipal, query: FeedQuery): Promise<Feed> {
  const { organizationId, after, limit, types, space } = query
  const seen = await seenBy(db, principal, organizationId)
  const conditions = [
    ...(seen === undefined ? [] : [seen]),
    ...(types === undefined ? [] : [sql`type = any(${[...types]}::text[])`]),
    ...(space === undefined ? [] : [sql`space_id = ${space}`]),
  ]
  const isWhole = conditions.length === 0
  const scanned = isWhole ? limit + 1 : SCANNED_MAX
  const { rows } = await sql<Row>`
    with scanned as materialized (
      select position, event_id, space_id, type from event_positions
      where organization_id = ${organizationId} and position > ${after} order by position limit ${scanned}),
    ends as (select max(position) as "end", count(*)::integer as count from scanned),
    found as (
      select position, event_id from scanned
      where ${isWhole ? sql`true` : sql.join(conditions, sql` and `)} order by position limit ${limit + 1})
    select ends.*, found.position, events.*
    from ends left join found on true
    left join lateral (select id, type, occurred_at, organization_id, space_id, actor_id, actor_kind, source, payload
      from events where events.id = found.event_id) as events on true
    order by found.position`.execute(db)
  const [{ end, count } = { end: null, count: 0 }] = rows
  const found = rows.filter(isEvent)
  const items = found.slice(0, limit)
  const isFull = found.length > limit
  return {
    items,
    position: isFull ? (items.at(-1)?.position ?? after) : (end ?? after),
    hasMore: isFull || count === scanned,
  }
}

const isEvent = (row: Row): row is Row & EventRow => row.id !== null

/** Without an event where none was found. */
type Row = { readonly [Name in keyof EventRow]: EventRow[Name] | null } & {
  readonly end: number | null
  readonly count: number
}

/** The condition on rows of `scanned` that the principal may see; undefined: all. */
async function seenBy(
  db: Db,
  principal: UserPrincipal,
  organizationId: string,
): Promise<RawBuilder<unknown> | undefined> {
  const role = roleInOrganization(principal, organizationId)
  if (role === 'admin') return undefined
  const spaces = await allSpacesWithEffectiveRole(db, personOf(principal), organizationId)
    .where('spaces.organization_id', '=', organizationId)
    .where(sql<boolean>`${RANK_ON_SPACE} > 0`)
    .select(['spaces.id', RANK_ON_SPACE.as('rank')])
    .execute()
  const inSpaces = [...TYPES_BY_RANK].map(([needed, types]) => {
    const ids = spaces.filter(({ rank }) => rank >= needed).map(({ id }) => id)
    return sql`(space_id = any(${ids}::text[]) and type = any(${[...types]}::text[]))`
  })
  const ofOrganization = role === null ? [] : typesInOrganization(role)
  return sql`((space_id is null and type = any(${ofOrganization}::text[])) or ${sql.join(inSpaces, sql` or `)})`
}

/** Events by id, with their known positions. */
export async function findEventsAt(
  db: Db,
  at: readonly { readonly eventId: string; readonly position: number }[],
): Promise<ReadonlyMap<string, EventRow>> {
  if (at.length === 0) return new Map()
  const positions = new Map(at.map(({ eventId, position }) => [eventId, position]))
  const rows = await db
    .selectFrom('events')
    .select([
      ...(['id', 'type', 'occurred_at', 'organization_id', 'space_id'] as const),
      ...(['actor_id', 'actor_kind', 'source', 'payload'] as const),
    ])
    .where(sql<boolean>`id = any(${[...positions.keys()]}::text[])`)
    .execute()
  return new Map(rows.map(row => [row.id, { ...row, position: positions.get(row.id) ?? 0 }]))
}
