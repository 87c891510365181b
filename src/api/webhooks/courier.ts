// Sends due deliveries, right after a commit of this process and by polling otherwise. It does not use the job queue,
// whose few slots hanging receivers would block. Deliveries are leased, so that after a crash another process sends
// them again: at least once.
import { LRUCache } from 'lru-cache'
import { monotonicMs } from '../../base/clock.ts'
import { traced } from '../../base/traces.ts'
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
  type TakenDelivery,
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
  /** Resolves when nothing is running and nothing is due. */
  idle(): Promise<void>
  /** Takes nothing new, waits up to `graceMs` for running attempts, then aborts them. */
  stop(graceMs: number): Promise<void>
}

/** Of one query. */
const CANDIDATES_MAX = 2 * TAKEN_MAX
const SLOW_MS = 2_000
const SLOW_RECEIVERS_MAX = 1_000
/** After which a failing webhook is paused. */
const FAILING_DAYS_MAX = 3
// Only this process writes to an embedded database, and it notifies itself; on a server, other nodes write too.
const POLL_MILLISECONDS = { embedded: 300_000, postgres: 5_000 } as const
const AFTER_FAILURE_MILLISECONDS = 5_000
const READ_AGAIN_MILLISECONDS = 500
// One query serves all commits of this interval.
const GATHERING_MILLISECONDS = 100

/** The commit that woke the courier may be of another event. */
const DELIVERY = { name: 'webhook delivery', kind: 'internal', isRoot: true } as const

/** A claimed delivery, with everything needed to send it. */
type Ready = {
  readonly one: Claimed
  readonly receiver: string
  readonly webhook: WebhookRow
  readonly event: EventRow
  /** When it was checked that it may be sent. */
  readonly readMs: number
}

export const startCourier = (services: Services): Courier => new RunningCourier(services)

class RunningCourier implements Courier {
  readonly #services: Services
  readonly #pollMs: number
  readonly #taken = new Map<string, TakenDelivery>()
  readonly #lanes = createLanes<Ready>(one => this.#send(one), {
    all: SENT_AT_ONCE_MAX,
    each: SENT_TO_ONE_MAX,
  })
  readonly #slow = new LRUCache<string, true>({ max: SLOW_RECEIVERS_MAX })
  readonly #abort = new AbortController()
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
    services.deliveries.on('due', this.#schedule)
    // Leases on an embedded database are of an earlier process on this folder, which has ended.
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
      this.#resolveWaiters()
    })
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true
    this.#services.deliveries.off('due', this.#schedule)
    clearTimeout(this.#timer)
    const waiting = this.#lanes.drop(() => true).map(({ one }) => one)
    await this.#release(waiting).catch(() => {})
    const grace = setTimeout(() => this.#abort.abort(), graceMs)
    await this.idle()
    clearTimeout(grace)
  }

  readonly #schedule = (): void => {
    this.#gathering ??= setTimeout(() => this.#wake(), GATHERING_MILLISECONDS).unref()
  }

  #wake(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    // Otherwise `idle` would never resolve.
    if (this.#isStopped) {
      this.#resolveWaiters()
      return
    }
    this.#isAskedAgain = this.#looking !== undefined
    this.#looking ??= this.#look().then(pauseMs => {
      this.#looking = undefined
      if (this.#isAskedAgain) return this.#wake()
      if (!this.#isStopped) this.#timer = setTimeout(() => this.#wake(), pauseMs).unref()
      this.#resolveWaiters()
    })
  }

  #resolveWaiters(): void {
    const isIdle =
      this.#taken.size === 0 &&
      this.#looking === undefined &&
      this.#recording === undefined &&
      this.#results.length === 0
    if (isIdle) for (const resolve of this.#waiters.splice(0)) resolve()
  }

  /** Sends what is due within the limits; returns the milliseconds until the next look. */
  async #look(): Promise<number> {
    clearTimeout(this.#timer)
    const { db, log } = this.#services
    try {
      const { hasArrived, isWaiting } = await findWork(db)
      // Without webhooks, events get their positions on a schedule or when they are read.
      if (hasArrived) await placeEvents(this.#services)
      if (!hasArrived && !isWaiting) return this.#pollMs
      await this.#take()
      // Every attempt that ends looks again, so what is beyond the limits needs no timer.
      const nextMs = this.#taken.size > 0 ? undefined : await findNextDue(db)
      return Math.max(1, Math.min(nextMs ?? this.#pollMs, this.#pollMs))
    } catch (error) {
      log.warn({ err: error }, 'due deliveries could not be read')
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
      const byKey = new Map((await claimDeliveries(db, chosen)).map(one => [keyOf(one), one]))
      // The order of `chosen`: the database returns any.
      const claimed = chosen.flatMap(one => byKey.get(keyOf(one)) ?? [])
      for (const one of chosen) if (byKey.has(keyOf(one))) this.#taken.set(keyOf(one), one)
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

  /** If it fails, the leases expire. */
  async #release(claimed: readonly Claimed[]): Promise<void> {
    try {
      await releaseDeliveries(this.#services.db, claimed)
    } finally {
      for (const one of claimed) this.#taken.delete(keyOf(one))
    }
  }

  /**
   * After a wait in its lane, the webhook is read again: it may be paused or deleted, or its owner may have lost
   * access.
   */
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
    const { urls, log, tallies } = this.#services
    const body = JSON.stringify(toEvent(urls, webhook.organization_id, event))
    const sending = { webhook, eventId: one.eventId, type: event.type, body, signal: this.#abort.signal }
    try {
      if (!(await this.#isStillSent(ready))) {
        await this.#release([one])
        return this.#done([])
      }
      const { entry, retryAfterSeconds } = await traced(DELIVERY, () => send(this.#services, sending))
      if (entry.milliseconds > SLOW_MS) this.#slow.set(webhook.receiver, true)
      else this.#slow.delete(webhook.receiver)
      const isGone = entry.status === 410
      tallies.webhooks.add(isGone ? 'gone' : entry.error === null ? 'delivered' : 'failed')
      tallies.webhookDurations.add(entry.milliseconds)
      this.#results.push({ ...one, entry, retryAfterSeconds, isGone })
      this.#recording ??= this.#record()
    } catch (error) {
      // The server stops, or it is a bug: the lease expires and it is sent again.
      if (!this.#abort.signal.aborted)
        log.error({ err: error, webhook: webhook.id }, 'a delivery could not be made')
      else await releaseDeliveries(this.#services.db, [one]).catch(() => {})
      this.#done([one])
    }
  }

  /** Records results in batches until there are no more. */
  async #record(): Promise<void> {
    while (this.#results.length > 0) {
      const results = this.#results.splice(0)
      // If it fails, the leases expire and all of it is sent again.
      await this.#write(results).catch(error =>
        this.#services.log.error({ err: error }, 'the results of deliveries could not be written'),
      )
      this.#done(results)
    }
    this.#recording = undefined
    this.#resolveWaiters()
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
    this.#resolveWaiters()
  }
}

const keyOf = ({ webhookId, eventId }: Pick<Claimed, 'webhookId' | 'eventId'>): string =>
  `${webhookId} ${eventId}`
