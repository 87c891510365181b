// Events, written by the transaction that did what they say; listeners that must act atomically run within it.
import type { Json } from '../../base/canonical.ts'
import { newEventId } from '../../base/ids.ts'
import type { Trx } from '../db/database.ts'
import { afterCommit } from '../db/transaction.ts'
import type { PlacedListener } from './positions.ts'

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
  /** The user who did it; absent where no user did. */
  readonly actorId?: string | null | undefined
  readonly payload: EventPayloads[Type]
}

/** A union over `Type`, so that `type` narrows `payload`. */
export type Event<Type extends EventType = EventType> = { readonly [T in Type]: EventFields<T> }[Type]

/** `events` appends what follows with the same origin. */
type Listener<Type extends EventType> = (trx: Trx, event: Event<Type>, events: Events) => Promise<void>

/** Where a change came from. */
export type Origin = {
  readonly actorKind: 'user' | 'integration' | 'installation'
  readonly source: 'ui' | 'api' | 'integration' | 'script'
  /** The network address of the caller; null: this process itself. */
  readonly address: string | null
  readonly tokenId: string | null
  readonly requestId: string | null
}

/** What the program does by itself, or an operator on its machine. */
const LOCAL: Origin = { actorKind: 'user', source: 'script', address: null, tokenId: null, requestId: null }

export interface Events {
  /** Inserts the event, then runs its listeners one after the other, in the order they were given. */
  append<Type extends EventType>(trx: Trx, event: EventFields<Type>): Promise<void>
  /** `listener` becomes a part of every transaction that appends `type`: what it throws undoes that transaction. */
  within<Type extends EventType>(type: Type, listener: Listener<Type>): void
  /** `listener` becomes a part of every transaction that gives positions to events. */
  whenPlaced(listener: PlacedListener): void
  readonly placedListeners: readonly PlacedListener[]
  /** The same events with an origin. */
  from(origin: Origin): Events
}

type Listeners = { readonly within: Map<string, Listener<never>[]>; readonly placed: PlacedListener[] }

/** `arrived` is called after the commit of every transaction that appended events. */
export const createEvents = (arrived: () => void = () => {}): Events =>
  eventsFrom(LOCAL, { within: new Map(), placed: [] }, arrived)

const eventsFrom = (origin: Origin, listeners: Listeners, arrived: () => void): Events => ({
  async append(trx, event) {
    const { type, organizationId = null, spaceId = null, actorId = null } = event
    await trx
      .with('appended', appended =>
        appended
          .insertInto('events')
          .values({
            id: newEventId(),
            type,
            organization_id: organizationId,
            space_id: spaceId,
            actor_id: actorId,
            actor_kind: actorId === null ? null : origin.actorKind,
            source: origin.source,
            address: origin.address,
            token_id: origin.tokenId,
            request_id: origin.requestId,
            payload: JSON.stringify(event.payload),
          })
          .returning(['id', 'organization_id', 'space_id', 'type']),
      )
      .insertInto('event_arrivals')
      .columns(['event_id', 'organization_id', 'space_id', 'type'])
      .expression(appended =>
        appended
          .selectFrom('appended')
          .select(['id', 'organization_id', 'space_id', 'type'])
          .where('organization_id', 'is not', null),
      )
      .execute()
    if (organizationId !== null) afterCommit(arrived)
    for (const listener of listeners.within.get(type) ?? [])
      await listener(trx, event as never, eventsFrom(origin, listeners, arrived))
  },
  within(type, listener) {
    listeners.within.set(type, [...(listeners.within.get(type) ?? []), listener as Listener<never>])
  },
  whenPlaced(listener) {
    listeners.placed.push(listener)
  },
  placedListeners: listeners.placed,
  from: other => eventsFrom(other, listeners, arrived),
})
