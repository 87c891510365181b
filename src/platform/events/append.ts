// What happened, written by the transaction that did it, and told there to whoever has to act in the same instant.
import { newId } from '../../base/ids.ts'
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

type Listener<Type extends EventType> = (trx: Trx, event: Event<Type>) => Promise<void>

export interface Events {
  /** Inserts the event, then runs its listeners one after the other, in the order they were given. */
  append<Type extends EventType>(trx: Trx, event: Event<Type>): Promise<void>
  /** `listener` becomes a part of every transaction that tells `type`: what it throws undoes that transaction. */
  within<Type extends EventType>(type: Type, listener: Listener<Type>): void
}

export function createEvents(): Events {
  const listeners = new Map<string, Listener<never>[]>()
  return {
    async append(trx, event) {
      await trx
        .insertInto('events')
        .values({
          id: newId(),
          type: event.type,
          organization_id: event.organizationId ?? null,
          space_id: event.spaceId ?? null,
          actor_id: event.actorId ?? null,
          payload: JSON.stringify(event.payload),
        })
        .execute()
      for (const listener of listeners.get(event.type) ?? []) await listener(trx, event as never)
    },
    within(type, listener) {
      listeners.set(type, [...(listeners.get(type) ?? []), listener as Listener<never>])
    },
  }
}
