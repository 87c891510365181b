// Events, written by the transaction that does what they report; listeners that must be atomic with it run inside it.
import { EventEmitter } from 'node:events'
import { type RawBuilder, sql } from 'kysely'
import type { Json } from '../../base/canonical.ts'
import { newEventId } from '../../base/ids.ts'
import type { Trx } from '../db/database.ts'
import { afterCommit } from '../db/transaction.ts'
import type { PositionListener } from './positions.ts'

declare module '../db/tables.ts' {
  interface ColumnValues {
    'events.payload': Readonly<Record<string, Json>>
  }
}

/**
 * Every kind of event and what it carries. A module declares its own:
 *
 *     declare module '../../platform/events/append.ts' {
 *       interface EventPayloads { 'space.created': { title: string } }
 *     }
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the modules, as shown above
export interface EventPayloads {}

export type EventType = keyof EventPayloads

type EventFields<Type extends EventType> = {
  readonly type: Type
  readonly organizationId?: string | null | undefined
  readonly spaceId?: string | null | undefined
  /** The user who acted; absent if no user did. */
  readonly actorId?: string | null | undefined
  readonly payload: EventPayloads[Type]
}

/** A union over `Type`, so that `type` narrows `payload`. */
export type Event<Type extends EventType = EventType> = { readonly [T in Type]: EventFields<T> }[Type]

/** `events` appends further events with the same origin. */
type Listener<Type extends EventType> = (trx: Trx, event: Event<Type>, events: Events) => Promise<void>

/**
 * Whether a listener has anything to do, as part of the statement that inserts its event: evaluated on the row of the
 * part `table`, which the statement has locked.
 */
export type Condition = (table: string) => RawBuilder<boolean>

/** Where a change came from. */
export type Origin = {
  readonly actorKind: 'user' | 'integration' | 'installation'
  readonly source: 'ui' | 'api' | 'integration' | 'script'
  /** The caller's network address; null: this process itself. */
  readonly address: string | null
  readonly tokenId: string | null
  readonly requestId: string | null
}

/** For what the program does by itself, or an operator on its machine. */
const LOCAL: Origin = { actorKind: 'user', source: 'script', address: null, tokenId: null, requestId: null }

/** For each listener, in order: whether it has anything to do. */
export type DueListeners = readonly boolean[]

export type InsertingEvent = {
  readonly parts: readonly RawBuilder<unknown>[]
  readonly due: RawBuilder<DueListeners>
}

export interface Events {
  /** Inserts the event, then runs its listeners one after the other, in the order of registration. */
  append<Type extends EventType>(trx: Trx, event: EventFields<Type>): Promise<void>
  /**
   * The first half of `append`, as parts of a statement that has a part `table`: the event is inserted if that part
   * has a row, for the organization in its `organization_id`. The statement's answer goes to `announce`, which has to
   * follow in the same transaction.
   */
  inserting<Type extends EventType>(event: EventFields<Type>, table: string): InsertingEvent
  /** The second half: runs the due listeners. */
  announce<Type extends EventType>(trx: Trx, event: EventFields<Type>, due: DueListeners): Promise<void>
  /**
   * `listener` becomes a part of every transaction that appends `type`: an error in it rolls the transaction back.
   * With a condition, it may be skipped where that is false.
   */
  within<Type extends EventType>(type: Type, listener: Listener<Type>, condition?: Condition): void
  /** `listener` becomes a part of every transaction that assigns positions to events. */
  whenPositioned(listener: PositionListener): void
  readonly positionListeners: readonly PositionListener[]
  /** The same events with an origin. */
  from(origin: Origin): Events
}

type WithinListener = { readonly run: Listener<never>; readonly condition: Condition }
type Listeners = { readonly within: Map<string, WithinListener[]>; readonly placed: PositionListener[] }

const ALWAYS: Condition = () => sql`true`

/** `deliveries` emits `due` after the commit of every transaction that appended events. */
export const createEvents = (deliveries = new EventEmitter<{ due: [] }>()): Events =>
  eventsFrom(LOCAL, { within: new Map(), placed: [] }, () => void deliveries.emit('due'))

const eventsFrom = (origin: Origin, listeners: Listeners, arrived: () => void): Events => {
  const listenersOf = (type: EventType) => listeners.within.get(type) ?? []
  const announce: Events['announce'] = async (trx, event, due) => {
    if ((event.organizationId ?? null) !== null) afterCommit(arrived)
    // Listeners are stored under the type of event that they accept.
    for (const [index, { run }] of listenersOf(event.type).entries())
      if (due[index] === true) await run(trx, event as never, eventsFrom(origin, listeners, arrived))
  }
  return {
    async append(trx, event) {
      const organizationId = sql`${event.organizationId ?? null}::text`
      const [appended, arrived] = insertingEvent(origin, event, organizationId, sql``)
      await sql`with ${appended} ${arrived}`.execute(trx)
      await announce(
        trx,
        event,
        listenersOf(event.type).map(() => true),
      )
    },
    inserting(event, table) {
      const organizationId = sql.ref(`${table}.organization_id`)
      const [appended, arrived] = insertingEvent(origin, event, organizationId, sql`from ${sql.table(table)}`)
      const due = listenersOf(event.type).map(({ condition }) => condition(table))
      return {
        parts: [appended, sql`arrived as (${arrived})`],
        due: sql`array[${sql.join(due)}]::boolean[]`,
      }
    },
    announce,
    within(type, listener, condition = ALWAYS) {
      const added = { run: listener as Listener<never>, condition }
      listeners.within.set(type, [...listenersOf(type), added])
    },
    whenPositioned(listener) {
      listeners.placed.push(listener)
    },
    positionListeners: listeners.placed,
    from: other => eventsFrom(other, listeners, arrived),
  }
}

function insertingEvent<Type extends EventType>(
  origin: Origin,
  event: EventFields<Type>,
  organizationId: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
): [RawBuilder<unknown>, RawBuilder<unknown>] {
  const { type, spaceId = null, actorId = null, payload } = event
  const actorKind = actorId === null ? null : origin.actorKind
  return [
    sql`appended as (
      insert into events
        (id, type, organization_id, space_id, actor_id, actor_kind, source, address, token_id, request_id, payload)
      select ${newEventId()}, ${type}, ${organizationId}, ${spaceId}::text, ${actorId}::text, ${actorKind}::text,
        ${origin.source}, ${origin.address}::text, ${origin.tokenId}::text, ${origin.requestId}::text,
        ${JSON.stringify(payload)}::jsonb ${from}
      returning id, organization_id, space_id, type)`,
    sql`insert into event_arrivals (event_id, organization_id, space_id, type)
      select id, organization_id, space_id, type from appended where organization_id is not null`,
  ]
}
