// How many may wait for a turn, and whose place one more takes where too many do.
import type { FairQueue } from './fair-queue.ts'
import type { Party } from './party.ts'

/** How many may wait for one person, of one organization, and in all: each holds a request. */
export type RoomBounds = {
  readonly personWaitingMax: number
  readonly organizationWaitingMax: number
  readonly waitingMax: number
}

/**
 * Whether one more of this party may wait. Where too many do, one of the organization with most is refused for it, if
 * that has more than the organization of this one would have.
 */
export function makeRoom<Entry extends { refuse(): void }>(
  queue: FairQueue<Entry>,
  party: Party,
  { personWaitingMax, organizationWaitingMax, waitingMax }: RoomBounds,
): boolean {
  const own = queue.countOfOrganization(party.organization)
  if (queue.countOf(party) >= personWaitingMax || own >= organizationWaitingMax) return false
  if (queue.size < waitingMax) return true
  const newest = queue.newestOfMost()
  if (newest === undefined) return false
  if (queue.countOfOrganization(newest.party.organization) <= own + 1) return false
  queue.remove(newest.party, newest.item)
  newest.item.refuse()
  return true
}
