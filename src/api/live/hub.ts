// Reads the events of an organization once for all streams of this process, however many they are, when an announcement
// says that there are new ones.
import { sql } from 'kysely'
import { throttled } from '../../base/errors.ts'
import type { Context } from '../../http/context.ts'
import { placeEvents } from '../../platform/events/positions.ts'
import { findLastPosition } from '../events/rows.ts'
import type { LiveRow } from './wire.ts'

type HubServices = Pick<Context, 'db' | 'changes' | 'transaction' | 'events' | 'log'>

export type Listener = (rows: readonly LiveRow[]) => void

/** Streams of one person, and of all. */
const STREAMS_OF_PERSON_MAX = 20
const STREAMS_MAX = 2000
const READ_AT_ONCE = 500
// A burst of writes is read together.
const SETTLE_MS = 50

/** The id that migration 0053 announces. */
const announcedId = (organizationId: string): string => `events:${organizationId}`

const hubs = new WeakMap<HubServices['changes'], Hub>()

/** The hub of this process. */
export function hubOf(services: HubServices): Hub {
  const { changes } = services
  const hub = hubs.get(changes) ?? new Hub(services)
  hubs.set(changes, hub)
  return hub
}

export class Hub {
  readonly #services: HubServices
  readonly #rooms = new Map<string, Room>()
  readonly #people = new Map<string, number>()
  #streams = 0

  constructor(services: HubServices) {
    this.#services = services
    services.changes.subscribe(changed => {
      for (const [organizationId, room] of this.#rooms)
        if (changed === undefined || changed.has(announcedId(organizationId))) room.wake()
    })
  }

  /** Counts a stream until the function that it returns is called. Throws `throttled` beyond the bounds. */
  admit(userId: string): () => void {
    const own = this.#people.get(userId) ?? 0
    if (own >= STREAMS_OF_PERSON_MAX || this.#streams >= STREAMS_MAX)
      throw throttled(
        `${own >= STREAMS_OF_PERSON_MAX ? 'You have' : 'The server has'} as many open streams as it allows. Close one, or read again at intervals.`,
      )
    this.#people.set(userId, own + 1)
    this.#streams += 1
    return () => {
      const left = (this.#people.get(userId) ?? 1) - 1
      if (left === 0) this.#people.delete(userId)
      else this.#people.set(userId, left)
      this.#streams -= 1
    }
  }

  /** How many streams are open. */
  get open(): number {
    return this.#streams
  }

  /** Calls back for events from now on, in order, until the function that it returns is called. */
  async listen(organizationId: string, listener: Listener): Promise<() => void> {
    const room = this.#rooms.get(organizationId) ?? new Room(this.#services, organizationId)
    this.#rooms.set(organizationId, room)
    room.listeners.add(listener)
    await room.ready
    return () => {
      room.listeners.delete(listener)
      if (room.listeners.size > 0) return
      room.close()
      if (this.#rooms.get(organizationId) === room) this.#rooms.delete(organizationId)
    }
  }
}

class Room {
  readonly listeners = new Set<Listener>()
  readonly ready: Promise<void>
  readonly #services: HubServices
  readonly #organizationId: string
  #position = 0
  #isReading = true
  #isDue = false
  #timer: NodeJS.Timeout | undefined

  constructor(services: HubServices, organizationId: string) {
    this.#services = services
    this.#organizationId = organizationId
    this.ready = this.#begin().finally(() => this.#end())
  }

  async #begin(): Promise<void> {
    await placeEvents(this.#services)
    this.#position = await findLastPosition(this.#services.db, this.#organizationId)
  }

  /** New events may have come. */
  wake(): void {
    if (this.#isReading) this.#isDue = true
    else this.#timer ??= setTimeout(() => void this.#read(), SETTLE_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  async #read(): Promise<void> {
    this.#timer = undefined
    this.#isReading = true
    try {
      await placeEvents(this.#services)
      for (;;) {
        const rows = await readAfter(this.#services, this.#organizationId, this.#position)
        this.#position = rows.at(-1)?.position ?? this.#position
        for (const listener of this.listeners) listener(rows)
        if (rows.length < READ_AT_ONCE) break
      }
    } catch (error) {
      // The next announcement reads from the same position.
      this.#services.log.warn({ err: error }, 'events for live streams could not be read')
    } finally {
      this.#end()
    }
  }

  #end(): void {
    this.#isReading = false
    if (!this.#isDue) return
    this.#isDue = false
    this.wake()
  }
}

async function readAfter({ db }: HubServices, organizationId: string, position: number) {
  const { rows } = await sql<LiveRow & { readonly position: number }>`
    select placed.position, events.type, events.organization_id, events.space_id, events.payload
    from (select position, event_id from event_positions
      where organization_id = ${organizationId} and position > ${position}
      order by position limit ${READ_AT_ONCE}) as placed
    join lateral (select type, organization_id, space_id, payload from events where id = placed.event_id) as events on true
    order by placed.position`.execute(db)
  return rows
}
