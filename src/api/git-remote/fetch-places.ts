// Bounds concurrent fetches, in total and per person, so that a hundred jobs of one pipeline leave room for others. The
// rest wait, because git does not retry.
import { type Failure, unavailable } from '../../base/errors.ts'

export type FetchPlacesOptions = {
  readonly max: number
  readonly ofOneMax: number
  readonly waitingMax: number
  readonly waitingOfOneMax: number
  readonly waitMsMax: number
}

export interface FetchPlaces {
  /**
   * Returns a function that frees the place; calling it again does nothing.
   *
   * @param signal aborted when the client leaves
   * @throws Failure unavailable `busy` if too many wait, or it waited too long; the reason of `signal`
   */
  take(userId: string, signal: AbortSignal): Promise<() => void>
}

type WaitingFetch = { readonly userId: string; readonly enter: () => void }

export function createFetchPlaces(options: FetchPlacesOptions): FetchPlaces {
  // One entry per fetch that is served or waits.
  const served: string[] = []
  const waiting: WaitingFetch[] = []

  const isFree = (userId: string) =>
    served.length < options.max && served.filter(other => other === userId).length < options.ofOneMax
  const leaving = (userId: string) => {
    let isBack = false
    return () => {
      if (isBack) return
      isBack = true
      served.splice(served.indexOf(userId), 1)
      // The first that can be served: others may wait for places of their own.
      waiting.find(each => isFree(each.userId))?.enter()
    }
  }

  return {
    async take(userId, signal) {
      signal.throwIfAborted()
      if (isFree(userId)) {
        served.push(userId)
        return leaving(userId)
      }
      const ofOne = waiting.filter(each => each.userId === userId).length
      if (waiting.length >= options.waitingMax || ofOne >= options.waitingOfOneMax) throw busy()
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const leave = () => {
        waiting.splice(waiting.indexOf(mine), 1)
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
      }
      const mine: WaitingFetch = {
        userId,
        enter() {
          leave()
          served.push(userId)
          resolve(leaving(userId))
        },
      }
      const giveUp = () => {
        leave()
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        leave()
        reject(busy())
      }, options.waitMsMax)
      signal.addEventListener('abort', giveUp, { once: true })
      waiting.push(mine)
      return promise
    },
  }
}

const busy = (): Failure =>
  unavailable('busy', 'Too many repositories are fetched at once. Try again in a few seconds.')
