// When share links were last used. Reads must not cost a write: uses are collected in the process, and only that of an
// hour in which it has not noted the link yet is handed out to be written.
import { LRUCache } from 'lru-cache'
import { type Clock, now } from '../base/clock.ts'

const HOUR_MS = 3_600_000
/** A link that was forgotten is written once more in its hour, which changes nothing. */
const NOTED_MAX = 10_000

export type LinkUses = {
  /** That the link has opened its space. */
  note(linkId: string): void
  /** The uses since the last time, to the hour. */
  take(): ReadonlyMap<string, Date>
}

export function createLinkUses(clock: Clock = now): LinkUses {
  const noted = new LRUCache<string, number>({ max: NOTED_MAX })
  let uses = new Map<string, Date>()
  return {
    note(linkId) {
      const hour = Math.floor(clock().getTime() / HOUR_MS)
      if (noted.get(linkId) === hour) return
      noted.set(linkId, hour)
      uses.set(linkId, new Date(hour * HOUR_MS))
    },
    take() {
      const taken = uses
      uses = new Map()
      return taken
    },
  }
}
