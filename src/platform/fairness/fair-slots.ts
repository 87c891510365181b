// A bound on how much of a costly kind of work runs at once, whose slots are given out by organization and person.
import { unavailable } from '../../base/errors.ts'
import { FairQueue } from './fair-queue.ts'
import type { Party } from './party.ts'
import { makeRoom, type RoomBounds } from './room.ts'

export type SlotBounds = RoomBounds & {
  readonly atOnceMax: number
  /** Of one organization. */
  readonly ofOrganizationMax: number
  /** Of one person in it; absent: as many as of their organization. */
  readonly ofPersonMax?: number
  /** How long one may wait; absent: until it has its turn. */
  readonly waitMillisecondsMax?: number
}

export interface FairSlots {
  /**
   * Resolves in a slot, to a function that gives it back; calling it again does nothing.
   *
   * @throws Failure unavailable `busy` if too many wait, if it waited too long, or if an organization with fewer that wait
   * got its place; the reason of `signal` if it is aborted before its turn.
   */
  take(party: Party, signal?: AbortSignal): Promise<() => void>
  /** Runs `run` in a slot, with the failures of `take`. */
  run<T>(party: Party, run: () => Promise<T>, signal?: AbortSignal): Promise<T>
  readonly waiting: number
}

type Entry = { start(): void; refuse(): void }

const keyOf = ({ organization, person }: Party) => JSON.stringify([organization, person])

class Counts {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, difference: number): void {
    const count = this.of(key) + difference
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}

export function createFairSlots(bounds: SlotBounds, busy: () => Error = tooMuchWork): FairSlots {
  const queue = new FairQueue<Entry>()
  const ofOrganizations = new Counts()
  const ofPersons = new Counts()
  const { ofOrganizationMax, ofPersonMax = ofOrganizationMax } = bounds
  let all = 0

  const mayOrganizationStart = (organization: string) => ofOrganizations.of(organization) < ofOrganizationMax
  const mayPersonStart = (party: Party) => ofPersons.of(keyOf(party)) < ofPersonMax

  const startWaiting = () => {
    while (all < bounds.atOnceMax) {
      const next = queue.take(mayOrganizationStart, mayPersonStart)
      if (next === undefined) return
      all += 1
      ofOrganizations.add(next.party.organization, 1)
      ofPersons.add(keyOf(next.party), 1)
      next.item.start()
    }
  }

  const finish = (party: Party) => {
    all -= 1
    ofOrganizations.add(party.organization, -1)
    ofPersons.add(keyOf(party), -1)
    startWaiting()
  }

  // Nobody who may start waits while a slot is free: one that may start now overtakes nobody.
  const mayStart = (party: Party): boolean =>
    all < bounds.atOnceMax && mayOrganizationStart(party.organization) && mayPersonStart(party)

  const awaitSlot = (party: Party, signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted()
    if (!mayStart(party) && !makeRoom(queue, party, bounds)) throw busy()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (reason: unknown) => {
      if (queue.remove(party, entry)) reject(reason)
    }
    const onAbort = () => leave(signal?.reason)
    const { waitMillisecondsMax } = bounds
    const timer =
      waitMillisecondsMax === undefined ? undefined : setTimeout(() => leave(busy()), waitMillisecondsMax)
    const entry: Entry = { start: resolve, refuse: () => reject(busy()) }
    signal?.addEventListener('abort', onAbort, { once: true })
    queue.add(party, entry)
    startWaiting()
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  const take = async (party: Party, signal?: AbortSignal) => {
    await awaitSlot(party, signal)
    let isBack = false
    return () => {
      if (isBack) return
      isBack = true
      finish(party)
    }
  }

  return {
    take,
    async run(party, run, signal) {
      const giveBack = await take(party, signal)
      try {
        return await run()
      } finally {
        giveBack()
      }
    },
    get waiting() {
      return queue.size
    },
  }
}

const tooMuchWork = () =>
  unavailable('busy', 'The server has more work than it can do in time. Try again in a few seconds.')
