// Who gets the next free connection: what holds a turn or begins a transaction before what only reads. Otherwise a
// writer would wait behind all readers for each of its statements, and those who wait for its turn with it.
import { monotonicMs } from '../../base/clock.ts'
import { unavailable } from '../../base/errors.ts'
import { PriorityQueue } from '../../base/priority.ts'
import { recordWait } from '../../base/waits.ts'

// Readers are served too while many write.
const IN_A_ROW_MAX = 4

export interface Places {
  /**
   * Resolves once there is a place; the function gives it back.
   *
   * @throws {Failure} unavailable `busy`, after `waitMsMax`.
   */
  take(): Promise<() => void>
  /** How many wait for one. */
  readonly waiting: number
}

export function createPlaces(most: number, waitMsMax: number): Places {
  const waiting = new PriorityQueue<() => void>(IN_A_ROW_MAX)
  let taken = 0
  const giveBack = () => {
    taken -= 1
    waiting.shift()?.()
  }
  const place = () => {
    taken += 1
    let isBack = false
    return () => {
      if (isBack) return
      isBack = true
      giveBack()
    }
  }
  return {
    get waiting() {
      return waiting.length
    },
    take() {
      if (taken < most) {
        recordWait('database', 0)
        return Promise.resolve(place())
      }
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const since = monotonicMs()
      const start = () => {
        clearTimeout(timer)
        recordWait('database', monotonicMs() - since)
        resolve(place())
      }
      const timer = setTimeout(() => {
        waiting.remove(start)
        recordWait('database', monotonicMs() - since)
        reject(unavailable('busy', 'The database has more work than it can do in time. Try again later.'))
      }, waitMsMax).unref()
      waiting.push(start)
      return promise
    },
  }
}
