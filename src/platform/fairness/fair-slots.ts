// A bound on how much of a costly kind of work runs at once, whose slots are given out by organization and person.
import { unavailable } from '../../base/errors.ts'
import { FairQueue } from './fair-queue.ts'
import type { Party } from './party.ts'

export type SlotBounds = {
  readonly atOnceMax: number
  /** Of one organization. */
  readonly ofOrganizationMax: number
  /** How many may wait for one person, of one organization, and in all: each holds a request. */
  readonly personWaitingMax: number
  readonly organizationWaitingMax: number
  readonly waitingMax: number
  /** How long one may wait; absent: until it has its turn. */
  readonly waitMillisecondsMax?: number
}

export interface FairSlots {
  /**
   * Runs `run` in a slot.
   *
   * @throws Failure unavailable `busy`, without running it, if too many wait or it waited too long; the reason of
   * `signal` if it is aborted before its turn.
   */
  run<T>(party: Party, run: () => Promise<T>, signal?: AbortSignal): Promise<T>
  readonly waiting: number
}

type Entry = { start(): void }

export function createFairSlots(bounds: SlotBounds, busy: () => Error = tooMuchWork): FairSlots {
  const queue = new FairQueue<Entry>()
  const running = new Map<string, number>()
  let all = 0

  const startWaiting = () => {
    while (all < bounds.atOnceMax) {
      const next = queue.take(organization => (running.get(organization) ?? 0) < bounds.ofOrganizationMax)
      if (next === undefined) return
      all += 1
      const { organization } = next.party
      running.set(organization, (running.get(organization) ?? 0) + 1)
      next.item.start()
    }
  }

  const finish = ({ organization }: Party) => {
    all -= 1
    const left = (running.get(organization) ?? 1) - 1
    if (left === 0) running.delete(organization)
    else running.set(organization, left)
    startWaiting()
  }

  const isFull = (party: Party): boolean =>
    queue.size >= bounds.waitingMax ||
    queue.countOf(party) >= bounds.personWaitingMax ||
    queue.countOfOrganization(party.organization) >= bounds.organizationWaitingMax

  const awaitSlot = (party: Party, signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted()
    if (isFull(party)) throw busy()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (reason: unknown) => {
      if (queue.remove(party, entry)) reject(reason)
    }
    const onAbort = () => leave(signal?.reason)
    const { waitMillisecondsMax } = bounds
    const timer =
      waitMillisecondsMax === undefined ? undefined : setTimeout(() => leave(busy()), waitMillisecondsMax)
    const entry = { start: resolve }
    signal?.addEventListener('abort', onAbort, { once: true })
    queue.add(party, entry)
    startWaiting()
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  return {
    async run(party, run, signal) {
      await awaitSlot(party, signal)
      try {
        return await run()
      } finally {
        finish(party)
      }
    },
    get waiting() {
      return queue.size
    },
  }
}

const tooMuchWork = () =>
  unavailable('busy', 'The server has more work than it can do in time. Try again in a few seconds.')
