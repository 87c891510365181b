// How often one network address may fail to sign in, or ask for emails, however many email addresses it tries. Counted
// in this process, in windows that begin with the first attempt of an address: a brake on guessing, besides the lock on
// each email address.
import { LRUCache } from 'lru-cache'
import { type Clock, now } from '../../base/clock.ts'
import { entries } from '../../platform/cache/cache.ts'
import { networkOf } from '../../platform/networks.ts'

/** Enough for the slips of an office behind one address, too few for guessing. */
export const FAILURES_MAX = 100
export const WINDOW_MINUTES = 15
// Addresses remembered at once; beyond that, the one idle for longest is forgotten.
const ADDRESSES_MAX = 50_000

export type Attempts = {
  /** Counts an attempt before its outcome is known; false if there were too many. */
  begin(address: string): boolean
  /** Uncounts an attempt that succeeded. */
  succeed(address: string): void
}

/** Attempts per window of minutes; beyond that the address waits until the window ends. */
export type AttemptsBound = { readonly max: number; readonly windowMinutes: number }

const FAILURES: AttemptsBound = { max: FAILURES_MAX, windowMinutes: WINDOW_MINUTES }

export function createAttempts(clock: Clock = now, { max, windowMinutes } = FAILURES): Attempts {
  const windowMs = windowMinutes * 60_000
  const windows = new LRUCache<string, { readonly start: number; count: number }>(entries(ADDRESSES_MAX))
  const windowOf = (address: string) => {
    const time = clock().getTime()
    const key = networkOf(address)
    const known = windows.get(key)
    const window = known !== undefined && time - known.start < windowMs ? known : { start: time, count: 0 }
    windows.set(key, window)
    return window
  }
  return {
    begin(address) {
      const window = windowOf(address)
      if (window.count >= max) return false
      window.count += 1
      return true
    },
    succeed(address) {
      const window = windowOf(address)
      window.count = Math.max(0, window.count - 1)
    },
  }
}
