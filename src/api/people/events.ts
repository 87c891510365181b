// What happened that concerns a person: what they did, and what others did about them. Read in portions.
import { type RawBuilder, sql } from 'kysely'
import { isObject } from '../../base/objects.ts'
import type { Db } from '../../platform/db/database.ts'
import type { EventPayloads, EventType } from '../../platform/events/append.ts'
import type { PermissionChange } from '../grants/actions.ts'
import { findOrganizationsActedIn } from './rows.ts'

export type Row = Readonly<Record<string, unknown>>

const ROWS_AT_ONCE = 100
/** Of events that name several people, these are looked at for one who is named. */
const LOOKED_AT_ONCE = 1_000

/** What they did, by organization, and then what concerns their account. */
export async function* readEventsBy(db: Db, userId: string): AsyncGenerator<readonly Row[]> {
  for (const organizationId of await findOrganizationsActedIn(db, userId))
    yield* portionsOf(db, sql`organization_id = ${organizationId} and actor_id = ${userId}`, ROWS_AT_ONCE)
  yield* portionsOf(
    db,
    sql`organization_id is null and coalesce(payload->>'user', actor_id) = ${userId}`,
    ROWS_AT_ONCE,
    // Where an admin or the operator acted from is theirs.
    sql`coalesce(actor_id, ${userId}) = ${userId}`,
  )
}

/** What others did about them in organizations, without where they did it from, and without who else was meant. */
export async function* readEventsAbout(db: Db, userId: string): AsyncGenerator<readonly Row[]> {
  const named = sql`organization_id is not null and payload->>'user' = ${userId}`
  const organizations = new Set(await findOrganizationsActedIn(db, userId))
  for await (const rows of portionsOf(db, named, ROWS_AT_ONCE, sql`false`)) {
    for (const { organization_id } of rows) organizations.add(String(organization_id))
    yield rows.filter(({ actor_id }) => actor_id !== userId).map(row => withoutOthers(row, userId))
  }
  // Who is named among others was a member, of which there is an event that names them alone.
  for (const organizationId of organizations)
    for (const type of Object.keys(NAMING_SEVERAL)) {
      const ofType = sql`organization_id = ${organizationId} and type = ${type}`
      for await (const rows of portionsOf(db, ofType, LOOKED_AT_ONCE, sql`false`))
        yield rows
          .filter(row => row.actor_id !== userId && isNamed(row.payload, userId))
          .map(row => withoutOthers(row, userId))
    }
}

/** Payloads that name several people. */
type Several =
  | { readonly users: readonly string[] }
  | { readonly members: readonly string[] }
  | { readonly removed: readonly string[] }
  | { readonly changes: readonly PermissionChange[] }

/** A type of event with such a payload that has no line here does not compile. */
const NAMING_SEVERAL: Readonly<
  Record<{ [Type in EventType]: EventPayloads[Type] extends Several ? Type : never }[EventType], true>
> = {
  'change_request.review_requested': true,
  'change_request.review_request_withdrawn': true,
  'collection.permission_changed': true,
  'space.permission_changed': true,
  'team.created': true,
  'team.members_changed': true,
}

/** The lists of these payloads; other lists, such as names of fields, are no people. */
const LISTS: ReadonlySet<string> = new Set([
  'users',
  'members',
  'added',
  'changed',
  'removed',
  'changes',
  'teams',
])

const isThem = (item: unknown, userId: string): boolean =>
  item === userId || (isObject(item) && item.user === userId)

const isNamed = (payload: unknown, userId: string): boolean =>
  isObject(payload) &&
  Object.values(payload).some(value => Array.isArray(value) && value.some(item => isThem(item, userId)))

const withoutOthers = (row: Row, userId: string): Row => ({
  ...row,
  payload: Object.fromEntries(
    Object.entries(isObject(row.payload) ? row.payload : {}).map(([name, value]) => [
      name,
      Array.isArray(value) && LISTS.has(name) ? value.filter(item => isThem(item, userId)) : value,
    ]),
  ),
})

/** Newest first. `showsOrigin`: whether it says where an event came from. */
async function* portionsOf(
  db: Db,
  whose: RawBuilder<unknown>,
  count: number,
  showsOrigin: RawBuilder<unknown> = sql`true`,
): AsyncGenerator<readonly Row[]> {
  let after: RawBuilder<unknown> = sql`true`
  for (;;) {
    const { rows } = await sql<Row & { id: string; at: string }>`
      select id, type, organization_id, space_id, actor_id, source,
        case when ${showsOrigin} then address end as address,
        case when ${showsOrigin} then token_id end as token_id, occurred_at, payload, occurred_at::text as at
      from events where ${whose} and ${after} order by occurred_at desc, id desc limit ${count}`.execute(db)
    yield rows.map(({ at: _, ...row }) => row)
    const last = rows.at(-1)
    if (last === undefined || rows.length < count) return
    after = sql`(occurred_at, id) < (${last.at}::timestamptz, ${last.id})`
  }
}
