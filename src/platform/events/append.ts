// What happened, written by the transaction that did it, and told there to whoever has to act in the same instant.
import { newEventId } from '../../base/ids.ts'
import type { Trx } from '../db/open.ts'

/**
 * Every kind of event and what it carries. A room declares its own:
 *
 *     declare module '../../platform/events/append.ts' {
 *       interface EventPayloads { 'space.created': { title: string } }
 *     }
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the rooms, as shown above
export interface EventPayloads {}

export type EventType = keyof EventPayloads

export type Event<Type extends EventType = EventType> = {
  readonly [T in Type]: {
    readonly type: T
    readonly organizationId?: string | null | undefined
    readonly spaceId?: string | null | undefined
    /** The user who did it; absent when nobody did. */
    readonly actorId?: string | null | undefined
    readonly payload: EventPayloads[T]
  }
}[Type]

/** `events` tells what follows with the same origin. */
type Listener<Type extends EventType> = (trx: Trx, event: Event<Type>, events: Events) => Promise<void>

/** Where a change came from (api-facts §7.10). */
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
  append<Type extends EventType>(trx: Trx, event: Event<Type>): Promise<void>
  /** `listener` becomes a part of every transaction that tells `type`: what it throws undoes that transaction. */
  within<Type extends EventType>(type: Type, listener: Listener<Type>): void
  /** The same events, told with where they come from. */
  from(origin: Origin): Events
}

type Listeners = Map<string, Listener<never>[]>

export const createEvents = (): Events => eventsFrom(LOCAL, new Map())

const eventsFrom = (origin: Origin, listeners: Listeners): Events => ({
  async append(trx, event) {
    await trx
      .insertInto('events')
      .values({
        id: newEventId(),
        type: event.type,
        organization_id: event.organizationId ?? null,
        space_id: event.spaceId ?? null,
        actor_id: event.actorId ?? null,
        actor_kind: event.actorId == null ? null : origin.actorKind,
        source: origin.source,
        address: origin.address,
        token_id: origin.tokenId,
        request_id: origin.requestId,
        payload: JSON.stringify(event.payload),
      })
      .execute()
    for (const listener of listeners.get(event.type) ?? [])
      await listener(trx, event as never, eventsFrom(origin, listeners))
  },
  within(type, listener) {
    listeners.set(type, [...(listeners.get(type) ?? []), listener as Listener<never>])
  },
  from: other => eventsFrom(other, listeners),
})
