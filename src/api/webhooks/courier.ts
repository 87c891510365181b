// Sends what is due, right after a commit of this process and by the clock otherwise. It is no job of the queue: there
// four at once would be four that hang. What is under way is leased, so that another process, or this one after a crash,
// sends it again: at least once.
import { LRUCache } from 'lru-cache'
import { monotonicMs } from '../../base/clock.ts'
import type { Services } from '../../http/context.ts'
import { placeEvents } from '../../platform/events/positions.ts'
import { type EventRow, findEventsAt } from '../events/rows.ts'
import { toEvent } from '../events/wire.ts'
import {
  choose,
  fullOf,
  SENT_AT_ONCE_MAX,
  SENT_TO_ONE_MAX,
  TAKEN_FOR_ONE_MAX,
  TAKEN_MAX,
  type Taken,
} from './choosing.ts'
import {
  type Claimed,
  claimDeliveries,
  endLeases,
  findDue,
  findNextDue,
  findWork,
  isDelivered,
  type Outcome,
  type Result,
  recordAttempts,
  recordOutcomes,
  releaseDeliveries,
} from './due.ts'
import { createLanes } from './lanes.ts'
import { mayOwn } from './owners.ts'
import { pauseWebhook } from './pausing.ts'
import { findWebhooks, type WebhookRow } from './rows.ts'
import { send } from './sending.ts'

export interface Courier {
  /** Resolves when nothing is under way and nothing is due. */
  idle(): Promise<void>
  /** Takes nothing new, waits up to `graceMs` for what is under way, then lets go of it. */
  stop(graceMs: number): Promise<void>
}

/** What one look takes into account. */
const CANDIDATES_MAX = 2 * TAKEN_MAX
const SLOW_MS = 2_000
const SLOW_RECEIVERS_MAX = 1_000
/** After which a webhook that nothing could be delivered to is paused. */
const FAILING_DAYS_MAX = 3
// Only this process writes to an embedded database, and rings; other nodes may tell something on a server.
const POLL_MILLISECONDS = { embedded: 300_000, postgres: 5_000 } as const
const AFTER_FAILURE_MILLISECONDS = 5_000
const READ_AGAIN_MILLISECONDS = 500
// One look serves everything that is told meanwhile: nobody notices the delay, and commits come by the hundred.
const GATHERING_MILLISECONDS = 100

/** One that was taken, with everything that it is sent with. */
type Ready = {
  readonly one: Claimed
  readonly receiver: string
  readonly webhook: WebhookRow
  readonly event: EventRow
  /** When it was decided that it may be sent. */
  readonly readMs: number
}

export const startCourier = (services: Services): Courier => new RunningCourier(services)

class RunningCourier implements Courier {
  readonly #services: Services
  readonly #pollMs: number
  readonly #taken = new Map<string, Taken>()
  readonly #lanes = createLanes<Ready>(one => this.#send(one), {
    all: SENT_AT_ONCE_MAX,
    each: SENT_TO_ONE_MAX,
  })
  readonly #slow = new LRUCache<string, true>({ max: SLOW_RECEIVERS_MAX })
  readonly #abort = new AbortController()
  readonly #unlisten: () => void
  #results: (Result & { isGone: boolean })[] = []
  #recording: Promise<void> | undefined
  #looking: Promise<void> | undefined
  #isAskedAgain = false
  #isStopped = false
  #timer: NodeJS.Timeout | undefined
  #gathering: NodeJS.Timeout | undefined
  #waiters: (() => void)[] = []

  constructor(services: Services) {
    this.#services = services
    this.#pollMs = POLL_MILLISECONDS[services.config.databaseUrl === undefined ? 'embedded' : 'postgres']
    this.#unlisten = services.deliveries.subscribe(() => this.#hear())
    // leases on an embedded database were taken by an earlier process on this folder, which has ended
    const begun = services.config.databaseUrl === undefined ? endLeases(services.db) : Promise.resolve()
    this.#looking = begun
      .catch(error => services.log.warn({ err: error }, 'the leases of deliveries could not be ended'))
      .then(() => {
        this.#looking = undefined
        this.#wake()
      })
  }

  idle(): Promise<void> {
    if (this.#gathering !== undefined) this.#wake()
    return new Promise(resolve => {
      this.#waiters.push(resolve)
      this.#tellWaiters()
    })
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true
    this.#unlisten()
    clearTimeout(this.#timer)
    const waiting = this.#lanes.drop(() => true).map(({ one }) => one)
    await this.#release(waiting).catch(() => {})
    const grace = setTimeout(() => this.#abort.abort(), graceMs)
    await this.idle()
    clearTimeout(grace)
  }

  #hear(): void {
    this.#gathering ??= setTimeout(() => this.#wake(), GATHERING_MILLISECONDS).unref()
  }

  #wake(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    // else the end would never be told
    if (this.#isStopped) {
      this.#tellWaiters()
      return
    }
    this.#isAskedAgain = this.#looking !== undefined
    this.#looking ??= this.#look().then(pauseMs => {
      this.#looking = undefined
      if (this.#isAskedAgain) return this.#wake()
      if (!this.#isStopped) this.#timer = setTimeout(() => this.#wake(), pauseMs).unref()
      this.#tellWaiters()
    })
  }

  #tellWaiters(): void {
    const isIdle =
      this.#taken.size === 0 &&
      this.#looking === undefined &&
      this.#recording === undefined &&
      this.#results.length === 0
    if (isIdle) for (const tell of this.#waiters.splice(0)) tell()
  }

  /** Sends what is due as far as there is room, and returns in how many milliseconds to look again. */
  async #look(): Promise<number> {
    clearTimeout(this.#timer)
    const { db, log } = this.#services
    try {
      const { hasArrived, isWaiting } = await findWork(db)
      // where nobody listens, events are placed by the clock or by who reads them
      if (hasArrived) await placeEvents(this.#services)
      if (!hasArrived && !isWaiting) return this.#pollMs
      await this.#take()
      // an attempt that ends looks again, so what is due and has no room needs no clock
      const nextMs = this.#taken.size > 0 ? undefined : await findNextDue(db)
      return Math.max(1, Math.min(nextMs ?? this.#pollMs, this.#pollMs))
    } catch (error) {
      log.warn({ err: error }, 'deliveries could not be looked for')
      return AFTER_FAILURE_MILLISECONDS
    }
  }

  async #take(): Promise<void> {
    const { db } = this.#services
    const limits = { each: TAKEN_FOR_ONE_MAX, limit: CANDIDATES_MAX }
    while (!this.#isStopped && this.#taken.size < TAKEN_MAX) {
      const full = fullOf(this.#taken.values(), this.#slow.keys())
      const candidates = await findDue(db, full, limits)
      const chosen = choose(candidates, this.#taken.values(), receiver => this.#slow.has(receiver))
      if (chosen.length === 0) return
      const byKey = new Map(chosen.map(one => [keyOf(one), one]))
      const claimed = inOrderOf(chosen, await claimDeliveries(db, chosen))
      for (const one of claimed) this.#taken.set(keyOf(one), byKey.get(keyOf(one)) as Taken)
      await this.#begin(claimed).catch(async error => {
        for (const one of claimed) this.#taken.delete(keyOf(one))
        throw error
      })
      if (candidates.length < CANDIDATES_MAX) return
    }
  }

  async #begin(claimed: readonly Claimed[]): Promise<void> {
    const { db } = this.#services
    const hooks = await findWebhooks(db, [...new Set(claimed.map(({ webhookId }) => webhookId))])
    const byId = new Map(hooks.map(hook => [hook.id, hook]))
    const owned = new Set<string>()
    for (const hook of hooks) {
      if (await mayOwn(this.#services, hook)) owned.add(hook.id)
      else await pauseWebhook(this.#services, hook.id, 'owner')
    }
    const events = await findEventsAt(
      db,
      claimed.flatMap(({ eventId, position }) => (position === null ? [] : [{ eventId, position }])),
    )
    const released: Claimed[] = []
    for (const one of claimed) {
      const hook = byId.get(one.webhookId)
      const event = events.get(one.eventId)
      if (hook !== undefined && event !== undefined && owned.has(hook.id))
        this.#lanes.add({ one, receiver: hook.receiver, webhook: hook, event, readMs: monotonicMs() })
      else released.push(one)
    }
    await this.#release(released)
  }

  /** When this fails, the leases run out. */
  async #release(those: readonly Claimed[]): Promise<void> {
    try {
      await releaseDeliveries(this.#services.db, those)
    } finally {
      for (const one of those) this.#taken.delete(keyOf(one))
    }
  }

  /** What has waited for its turn is looked at again: somebody may have paused or deleted it, or lost it. */
  async #isStillSent({ webhook, readMs }: Ready): Promise<boolean> {
    if (monotonicMs() - readMs < READ_AGAIN_MILLISECONDS) return true
    const [now] = await findWebhooks(this.#services.db, [webhook.id])
    return (
      now !== undefined &&
      now.paused_because === null &&
      now.updated_at.getTime() === webhook.updated_at.getTime() &&
      (await mayOwn(this.#services, now))
    )
  }

  async #send(ready: Ready): Promise<void> {
    const { one, webhook, event } = ready
    const { urls, log } = this.#services
    const body = JSON.stringify(toEvent(urls, webhook.organization_id, event))
    const sending = { webhook, eventId: one.eventId, type: event.type, body, signal: this.#abort.signal }
    try {
      if (!(await this.#isStillSent(ready))) {
        await this.#release([one])
        return this.#done([])
      }
      const { entry, retryAfterSeconds } = await send(this.#services, sending)
      if (entry.milliseconds > SLOW_MS) this.#slow.set(webhook.receiver, true)
      else this.#slow.delete(webhook.receiver)
      const isGone = entry.status === 410
      this.#results.push({ ...one, entry, retryAfterSeconds, isGone })
      this.#recording ??= this.#record()
    } catch (error) {
      // the server ends, or it is a bug: the lease runs out and it is sent again
      if (!this.#abort.signal.aborted)
        log.error({ err: error, webhook: webhook.id }, 'a delivery could not be made')
      else await releaseDeliveries(this.#services.db, [one]).catch(() => {})
      this.#done([one])
    }
  }

  /** Writes down what has ended, all at once, for as long as more does. */
  async #record(): Promise<void> {
    while (this.#results.length > 0) {
      const results = this.#results.splice(0)
      // when this fails, the leases run out and all of it is sent again
      await this.#write(results).catch(error =>
        this.#services.log.error({ err: error }, 'what came of deliveries could not be written'),
      )
      this.#done(results)
    }
    this.#recording = undefined
    this.#tellWaiters()
  }

  async #write(results: readonly (Result & { isGone: boolean })[]): Promise<void> {
    const { db } = this.#services
    await recordAttempts(db, results)
    const outcomes = [...Map.groupBy(results, ({ webhookId }) => webhookId)].map(
      ([webhookId, of]): Outcome => {
        const delivered = of.filter(isDelivered).length
        return {
          webhookId,
          delivered,
          failed: of.length - delivered,
          isGone: of.some(({ isGone }) => isGone),
        }
      },
    )
    const failed = new Set(results.filter(result => !isDelivered(result)).map(({ webhookId }) => webhookId))
    await this.#release(this.#lanes.drop(({ webhook }) => failed.has(webhook.id)).map(({ one }) => one))
    for (const { id, isGone } of await recordOutcomes(db, outcomes, FAILING_DAYS_MAX))
      await pauseWebhook(this.#services, id, isGone ? 'gone' : 'failing')
  }

  #done(ended: readonly Pick<Claimed, 'webhookId' | 'eventId'>[]): void {
    for (const one of ended) this.#taken.delete(keyOf(one))
    this.#wake()
    this.#tellWaiters()
  }
}

const keyOf = ({ webhookId, eventId }: Pick<Claimed, 'webhookId' | 'eventId'>): string =>
  `${webhookId} ${eventId}`

/** The database answers in any order. */
function inOrderOf(chosen: readonly Pick<Claimed, 'webhookId' | 'eventId'>[], claimed: readonly Claimed[]) {
  const byKey = new Map(claimed.map(one => [keyOf(one), one]))
  return chosen.flatMap(one => byKey.get(keyOf(one)) ?? [])
}
